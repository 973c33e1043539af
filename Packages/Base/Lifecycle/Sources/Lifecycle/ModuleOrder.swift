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
        // A depth-first traversal without recursion, because a chain may be longer than the stack allows.
        var ordered: [any Module] = [], path: [any Module] = []
        var begun: Set<String> = [], done: Set<String> = []
        // The names in each module's `after` that have not been visited.
        var remaining = byName.mapValues { $0.after[...] }
        for module in listed where begun.insert(module.name).inserted {
            path.append(module)
            while let last = path.last {
                guard let name = remaining[last.name]?.popFirst() else {
                    done.insert(last.name)
                    ordered.append(path.removeLast())
                    continue
                }
                guard let next = byName[name], !done.contains(name) else { continue }
                guard begun.insert(name).inserted else {
                    throw .cycle(path.map(\.name).drop { $0 != name } + [name])
                }
                path.append(next)
            }
        }
        modules = ordered
    }
}
