// dump.txt.gz is from what the compiler prints while it compiles this: swiftc -O -wmo -enable-experimental-feature Embedded
// -target x86_64-unknown-linux-gnu -module-name main -Xllvm -sil-print-all -c main.swift 2> dump.txt (6.0.3):
// the functions of the program, from the high-level passes on. main.sil.gz is the module at the end (-emit-sil).
final class Counter {
  var count = 1
  deinit { if count == 3 { print("end three") } else { print("end") } }
}

@inline(never) func more(_ c: Counter) { c.count += 1 }

func run() {
  let c = Counter()
  var kept: Counter? = c
  more(c)
  if kept!.count == 2 { print("two") } else { print("other") }
  kept = nil
  more(c)
  if c.count == 3 { print("three") } else { print("other") }
  _ = kept
}

run()
print("done")
