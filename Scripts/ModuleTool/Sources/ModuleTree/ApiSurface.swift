import Foundation

/// An Api's public declarations as written, in all branches of `#if`.
package struct ApiSurface: Sendable, Equatable {
    /// A declaration, or one of a type's conformances.
    struct Declaration: Sendable, Hashable {
        enum Role { case member, requirement, enumCase, conformance }

        /// The name with labels, such as `RideApiProtocol.rides(limit:)`. Overloads share a path.
        var path: String
        /// The path of the enclosing type; nil at the top level.
        var parent: String?
        /// The extended type, if the declaration is in an extension.
        var extended: String?
        var condition: Condition
        var role: Role
        /// The parts that all callers and conforming types see, in normal form. Any difference breaks some caller or
        /// conforming type.
        var shape: String
        /// The types in the declaration. A default implementation has the same types as its requirement.
        var types = ""
        /// The features that a new release may add but not remove: a setter, a default argument.
        var grants: Set<String> = []
        /// The values whose changes affect callers without a compiler error: constants, raw values and default
        /// arguments.
        var values: [String: String] = [:]
        /// Restrictions, such as minimum platform versions, which a new release may only relax.
        var restrictions: [String: [Int]] = [:]
        /// Whether the declaration is deprecated. True for conformances and operators, which cannot be.
        var isDeprecated: Bool

        /// Whether other modules can inherit from this type.
        var isOpen: Bool { grants.contains("open") }
    }

    /// The declarations by path. The paths of members of protocol extensions begin with `extension `.
    var declarations: [String: [Declaration]]

    /// - Parameter files: The contents of the Api's files, by path.
    package init(module: String, _ files: [String: Data]) throws(Diagnostic) {
        var reader = SurfaceReader(module: module)
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            reader = try SourceParser.read(Array(data), in: path) { [reader] file in
                var reader = reader
                reader.read(file)
                return reader
            }
        }
        declarations = reader.declarations
    }

    package struct Changes: Sendable, Equatable, Codable {
        /// Whether anything visible to callers differs, including additions.
        package fileprivate(set) var isChanged = false
        /// The changes that break callers or conforming types, one line each.
        package fileprivate(set) var breaks: [String] = []
        /// The subset of ``breaks`` that removes declarations without prior deprecation.
        package fileprivate(set) var removedUnannounced: [String] = []

        package init() {}

        fileprivate mutating func add(break line: String) {
            isChanged = true
            if !breaks.contains(line) { breaks.append(line) }
        }
    }

    subscript(path: String) -> [Declaration] { declarations[path] ?? [] }

    /// Whether the Api declares a public struct, enum or class at this path.
    func declares(_ path: String) -> Bool {
        self[path].contains { $0.shape.contains(/^(?:@\S+ )*(?:struct|enum|class)\s/) }
    }

    /// Compares the states under every combination of `#if` conditions.
    package func changes(to new: ApiSurface) -> Changes {
        var changes = Changes()
        let old = renamed(in: new)
        for path in Set(old.declarations.keys).union(new.declarations.keys).sorted() {
            old.compare(path, to: new, &changes)
        }
        return changes
    }

    private func compare(_ path: String, to new: ApiSurface, _ changes: inout Changes) {
        let (before, after) = (self[path], new[path])
        guard before != after, let any = before.first ?? after.first else { return }
        let parents = any.parent.map { (self[$0], new[$0]) } ?? ([], [])
        let near = before + after + parents.0 + parents.1 + new["extension " + path]
        guard let possibilities = Condition.possibilities(near.map(\.condition)) else {
            return changes.add(break: "\(path) has changed under more #if conditions than can be compared")
        }
        for on in possibilities {
            func active(_ declarations: [Declaration]) -> [Declaration] {
                declarations.filter { $0.condition.holds(on) }
            }
            // A type that is new or removed is reported once, without its members.
            if !(parents.0 + parents.1).isEmpty, active(parents.0).isEmpty || active(parents.1).isEmpty {
                continue
            }
            let (old, now) = (active(before), active(after))
            let lost = old.filter { old in !now.contains { $0.shape == old.shape } }
            let gained = now.filter { now in !old.contains { $0.shape == now.shape } }
            for (old, now) in zip(lost, gained) {
                changes.add(break: "\(path) has changed from `\(old.shape)` to `\(now.shape)`")
            }
            for declaration in lost.dropFirst(gained.count) { remove(declaration, path, in: new, &changes) }
            for declaration in gained.dropFirst(lost.count) {
                changes.isChanged = true
                let defaults = active(new["extension " + path]).filter { $0.types == declaration.types }
                if let harm = declaration.harm(to: active(parents.0), hasDefault: !defaults.isEmpty) {
                    changes.add(break: "\(path) is a new \(harm)")
                }
            }
            for old in old {
                for now in now where now.shape == old.shape { compare(old, now, path, &changes) }
            }
        }
    }

    /// Reports a declaration that is missing from the new state under some conditions.
    private func remove(
        _ declaration: Declaration, _ path: String, in new: ApiSurface, _ changes: inout Changes
    ) {
        let requirement = declaration.path
        if path != requirement, !self[requirement].isEmpty {
            // Without the requirement, callers cannot see the default implementation.
            if !new[requirement].isEmpty {
                changes.add(break: "\(requirement) has lost its default implementation")
            }
        } else if declaration.role == .requirement, !new["extension " + path].isEmpty {
            changes.add(break: "\(path) is no longer a requirement")
        } else {
            let line =
                path
                + (new[path].isEmpty ? " has been removed" : " has been removed under some #if conditions")
            changes.add(break: line)
            if !isAnnounced(declaration), !changes.removedUnannounced.contains(line) {
                changes.removedUnannounced.append(line)
            }
        }
    }

    /// Whether a declaration or a type that encloses the declaration is deprecated.
    private func isAnnounced(_ declaration: Declaration) -> Bool {
        declaration.isDeprecated || declaration.parent.map { self[$0].contains(where: isAnnounced) } ?? false
    }

    private func compare(_ old: Declaration, _ new: Declaration, _ path: String, _ changes: inout Changes) {
        for grant in old.grants.subtracting(new.grants).sorted() {
            changes.add(break: "\(path) has lost \(grant)")
        }
        for (name, value) in old.values.sorted(by: { $0.key < $1.key }) {
            guard let now = new.values[name], now != value else { continue }
            changes.add(break: "\(path) has changed \(name) from \(value) to \(now)")
        }
        for (name, version) in new.restrictions.sorted(by: { $0.key < $1.key }) {
            if let known = old.restrictions[name], !known.lexicographicallyPrecedes(version) { continue }
            let text = ([name] + [version.map(String.init).joined(separator: ".")]).joined(separator: " ")
            changes.add(break: "\(path) is now restricted: \(text)")
        }
        if old.grants != new.grants || old.restrictions != new.restrictions
            || old.isDeprecated != new.isDeprecated
        {
            changes.isChanged = true
        }
    }
}

extension ApiSurface.Declaration {
    /// The grant for an associated type that has a default.
    static let defaultType = "its default type"

    /// How this new declaration breaks callers and conforming types; nil if it does not.
    ///
    /// - Parameter types: The old declarations of the type that contains it.
    fileprivate func harm(to types: [Self], hasDefault: Bool) -> String? {
        if role == .requirement, !hasDefault, grants.isDisjoint(with: [Self.defaultType, "optional"]) {
            return "requirement without a default implementation"
        }
        if role == .enumCase, !types.contains(where: { $0.shape.contains("@nonexhaustive") }) {
            return "case, which existing switch statements do not handle"
        }
        // A subclass inherits the convenience initializers only if it overrides all others.
        let isInitializer = shape.contains(/\binit\??[(<]/) && !shape.hasPrefix("convenience ")
        return isInitializer && types.contains(where: \.isOpen)
            ? "initializer of an open class, which existing subclasses lack" : nil
    }
}
