import ModuleTree

/// The code of a package that runs when an app starts: all code of the app, `register(in:)` of an IMP's module type and
/// what it calls in its package, and the public functions of any other package and what they call.
///
/// Calls are followed by name, so a function counts as called if any function of its name is.
struct LaunchCode {
    private let running: Set<String>
    private let isApp: Bool

    init(of package: LocalPackage, _ targets: [LocalTarget]) {
        isApp = package.role == .app
        let bodies = targets.flatMap(\.files).flatMap(\.facts.bodies)
        let byName = Dictionary(grouping: bodies, by: \.name)
        let starts = bodies.filter { body in
            package.role == .imp
                ? body.name == "register" && body.parent == package.moduleType : body.isPublic
        }
        let called = starts.reduce(into: Set<String>()) { $0.formUnion($1.uses) }
        let names = reachable(from: Array(called)) { name in byName[name, default: []].flatMap(\.uses) }
        running = Set(
            starts.map { Self.key($0) } + names.flatMap { byName[$0, default: []] }.map { Self.key($0) })
    }

    private static func key(_ body: SourceFacts.Body) -> String { "\(body.parent ?? "").\(body.name)" }

    func runs(_ call: SourceFacts.ApiUse, in file: SourceFile) -> Bool {
        guard !isApp, let body = call.body else { return true }
        return running.contains(Self.key(file.facts.bodies[body]))
    }
}
