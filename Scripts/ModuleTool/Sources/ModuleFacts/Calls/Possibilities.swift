extension Condition {
    /// Replaces each atom in `atoms` with a constant: true if the atom is also in `on`, otherwise false.
    package func deciding(_ atoms: Set<String>, on: Set<String>) -> Condition {
        replacing { atoms.contains($0) ? on.contains($0) ? .always : .not(.always) : nil }
    }

    /// Replaces the atoms for which `value` returns a condition, and leaves out what no longer matters.
    func replacing(_ value: (String) -> Condition?) -> Condition {
        switch self {
        case .always: return .always
        case .atom(let name): return value(name) ?? self
        case .not(let inner):
            let decided = inner.replacing(value)
            if decided == .not(.always) { return .always }
            return .not(decided)
        case .all(let parts):
            let decided = parts.map { $0.replacing(value) }.filter { $0 != .always }
            if decided.contains(.not(.always)) { return .not(.always) }
            return decided.reduce(.always) { $0.and($1) }
        case .any(let parts):
            let decided = parts.map { $0.replacing(value) }.filter { $0 != .not(.always) }
            if decided.contains(.always) { return .always }
            return decided.isEmpty ? .not(.always) : decided.count == 1 ? decided[0] : .any(decided)
        }
    }

    /// All sets of atoms that can be true together in these conditions. A set has at most one `os`, one
    /// `arch` and one `targetEnvironment`, and `canImport(Darwin)` exactly for the systems of Apple. Returns nil beyond
    /// twelve atoms, because there would be too many sets.
    package static func possibilities(_ conditions: [Condition]) -> [Set<String>]? {
        let atoms = conditions.reduce(into: Set<String>()) { $0.formUnion($1.atoms) }.sorted()
        guard !atoms.isEmpty else { return [[]] }
        guard atoms.count <= 12 else { return nil }
        return (0..<1 << atoms.count).compactMap { bits in
            let on = Set(atoms.indices.filter { bits >> $0 & 1 == 1 }.map { atoms[$0] })
            for kind in ["os(", "arch(", "targetEnvironment("]
            where on.count(where: { $0.hasPrefix(kind) }) > 1 {
                return nil
            }
            if let system = on.first(where: { $0.hasPrefix("os(") }), atoms.contains("canImport(Darwin)"),
                on.contains("canImport(Darwin)") != appleSystems.contains(system)
            {
                return nil
            }
            return on
        }
    }

    private static let appleSystems: Set = [
        "os(macOS)", "os(OSX)", "os(iOS)", "os(tvOS)", "os(watchOS)", "os(visionOS)",
    ]
}
