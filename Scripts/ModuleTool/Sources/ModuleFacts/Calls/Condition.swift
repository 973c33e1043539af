import ModuleKit

/// The compilation condition of a piece of source, from the `#if` blocks around it.
package indirect enum Condition: Sendable, Hashable, Codable {
    case always
    /// A flag or another test (`os(Linux)`, `canImport(UIKit)`), as written in the source.
    case atom(String)
    case not(Condition)
    case all([Condition])
    case any([Condition])

    package func holds(_ on: Set<String>) -> Bool {
        switch self {
        case .always: true
        case .atom(let name): on.contains(name)
        case .not(let inner): !inner.holds(on)
        case .all(let parts): parts.allSatisfy { $0.holds(on) }
        case .any(let parts): parts.contains { $0.holds(on) }
        }
    }

    package var atoms: Set<String> {
        switch self {
        case .always: []
        case .atom(let name): [name]
        case .not(let inner): inner.atoms
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.atoms) }
        }
    }

    /// The conjunction of both conditions, flattened where possible.
    package func and(_ other: Condition) -> Condition {
        switch (self, other) {
        case (.always, _): other
        case (_, .always): self
        case (.all(let left), .all(let right)): .all(left + right)
        case (.all(let left), _): .all(left + [other])
        default: .all([self, other])
        }
    }
}

extension Condition: SparseValue {
    package static var usual: Condition { .always }
}
