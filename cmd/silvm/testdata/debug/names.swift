protocol Hears: AnyObject { func heard(_ n: Int) }

final class Job: Hears {
    var count = 0
    weak var next: Job?
    var done: [() -> Void] = []
    func run() {
        func step(_ k: Int) { count += k }
        done.append { self.count += 1 }
        step(2)
        done[0]()
    }
    func heard(_ n: Int) { count += n }
}

func tell(_ list: [any Hears]) {
    for x in list { x.heard(5) }
}

func main() {
    var other: Job? = Job()
    let job = Job()
    let jobs = [job, job]
    job.next = other
    print(jobs[0].next == nil)
    other = nil
    print(jobs[0].next == nil)
    job.run()
    tell([job])
    job.done = []
    print(jobs[1].count)
}
main()
