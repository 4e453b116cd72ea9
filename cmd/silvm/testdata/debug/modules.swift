final class Module {
    let name: String
    var dependents: [Module] = []
    var imports: [Module] = []
    init(_ n: String) { name = n }
    func add(_ m: Module) { imports.append(m); m.dependents.append(self) }
    deinit { print("free \(name)") }
}
func build() -> Int {
    let core = Module("core"), net = Module("net"), ui = Module("ui"), app = Module("app")
    net.add(core); ui.add(core); app.add(ui); app.add(net)
    let lone = Module("lone")
    return core.dependents.count + lone.imports.count
}
print(build())
