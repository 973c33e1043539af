/// What callers see although they cannot name it.
extension SurfaceReader {
    /// Whether callers cannot name a type or a type alias of the module.
    func isHidden(_ path: String) -> Bool { hidden.contains(path) && types[path] == nil }

    /// A declaration as callers see it: what an extension of a hidden alias declares belongs to the type itself, and a
    /// conformance to a hidden protocol is one to the protocols that this one inherits.
    func seen(_ declaration: Declaration) -> [Declaration] {
        var copy = declaration
        let isConformance = declaration.kind == .conformance
        let (extended, name) = (declaration.extended ?? "", declaration.names.first ?? "")
        let type = isHidden(extended) ? aliases[extended] ?? extended : extended
        if type != extended {
            copy.extended = type
            copy.parent = declaration.parent.map { type + $0.dropFirst(extended.count) }
            if !isConformance { copy.path = type + declaration.path.dropFirst(extended.count) }
        }
        guard isConformance, type != extended || isHidden(name) else { return [copy] }
        let end = declaration.path.dropFirst("conformance of \(extended) to \(name)".count)
        return visible(name).map { name in
            copy.path = "conformance of \(type) to \(name)\(end)"
            (copy.shape, copy.names) = (copy.path, [name])
            return copy
        }
    }

    /// What callers see of an inherited name: the protocols that a hidden protocol inherits, and the type that a hidden
    /// alias stands for, each with the protocols that it implies.
    private func visible(_ name: String) -> [String] {
        reachable(from: [name]) { name in
            isHidden(name) ? hiddenTypes[name]?.inherited ?? implied(by: aliases[name] ?? "") : []
        }.filter { !isHidden($0) }
    }
}
