/// The order in which modules get events: as listed, except that each module comes after the modules in its
/// ``Module/after``.
struct ModuleOrder {
    /// The modules in order.
    let modules: [any Module]

    /// The names in `after` that match no module in the list.
    let absent: [ModuleHost.AbsentModule]

    /// Complexity: O(*n* + *e*) for *n* modules and *e* names in `after`.
    init(_ listed: [any Module]) throws(LifecycleError) {
        var byName: [String: any Module] = [:]
        for module in listed {
            if byName.updateValue(module, forKey: module.name) != nil {
                throw .duplicate(module: module.name)
            }
        }
        absent = listed.flatMap { module in
            module.after.filter { byName[$0] == nil }.map { .init(name: $0, namedBy: module.name) }
        }
        var walk = Walk(byName: byName)
        for module in listed { try walk.visit(module) }
        modules = walk.ordered
    }

    /// A depth-first traversal that appends each module after all modules in its `after`.
    private struct Walk {
        let byName: [String: any Module]
        var ordered: [any Module] = []
        private var done: Set<String> = []
        /// The names on the path from the first visited module to the current module, for detecting cycles.
        private var path: [String] = []

        init(byName: [String: any Module]) {
            self.byName = byName
        }

        mutating func visit(_ module: any Module) throws(LifecycleError) {
            let name = module.name
            if done.contains(name) { return }
            if let start = path.firstIndex(of: name) { throw .cycle(Array(path[start...]) + [name]) }
            path.append(name)
            for other in module.after {
                if let other = byName[other] { try visit(other) }
            }
            path.removeLast()
            done.insert(name)
            ordered.append(module)
        }
    }
}
