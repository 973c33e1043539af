import Foundation

/// An Api's public declarations as written, in all branches of `#if`.
package struct ApiSurface: Sendable, Equatable {
    /// A declaration, or one of a type's conformances.
    struct Declaration: Sendable, Hashable {
        /// The role `syntax` stands for operators, precedence groups, exported imports and uses of macros.
        enum Role { case member, requirement, enumCase, conformance, syntax }

        /// The name with labels, such as `RideApiProtocol.rides(limit:)`. Overloads share a path.
        let path: String
        /// The path of the enclosing type; nil at the top level.
        let parent: String?
        /// The extended type, if the declaration is in an extension.
        let extended: String?
        let condition: Condition
        let role: Role
        /// The parts that all callers and conforming types see, in normal form. Any difference breaks some caller or
        /// conforming type.
        let shape: String
        /// The types in the declaration. A default implementation has the same types as its requirement.
        var types = ""
        /// The features that a new release may add but not remove: a setter, a default argument.
        var grants: Set<String> = []
        /// The values whose changes affect callers without a compiler error: constants, raw values and default
        /// arguments.
        var values: [String: String] = [:]
        /// Restrictions, such as minimum platform versions, which a new release may only relax.
        var restrictions: [String: [Int]] = [:]
        /// What subclasses in other modules depend on: whether an initializer is `required`, and whether it is
        /// `designated` or `convenience`.
        var inheritance: Set<String> = []
        var isDeprecated = false
    }

    /// The declarations by path. The paths of members of protocol extensions begin with `extension `.
    let declarations: [String: [Declaration]]

    init(declarations: [String: [Declaration]]) { self.declarations = declarations }

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
                if declaration.role == .requirement, defaults.isEmpty,
                    declaration.grants.isDisjoint(with: [Self.defaultType, "optional"])
                {
                    changes.add(break: "\(path) is a new requirement without a default implementation")
                }
                if declaration.role == .enumCase,
                    !active(parents.0).contains(where: { $0.shape.contains("@nonexhaustive") })
                {
                    changes.add(
                        break: "\(path) is a new case, which existing switch statements do not handle")
                }
            }
            // Only an open class has subclasses in other modules.
            let isInherited = active(parents.0).contains { $0.grants.contains("open") }
            for new in gained.dropFirst(lost.count) where isInherited {
                if new.inheritance.contains("required") {
                    changes.add(
                        break: "\(path) is a new required initializer, which existing subclasses lack")
                } else if new.inheritance.contains("designated") {
                    changes.add(
                        break:
                            "\(path) is a new designated initializer: subclasses that override all others no "
                            + "longer inherit the convenience initializers")
                }
            }
            for old in old {
                for now in now where now.shape == old.shape {
                    compare(old, now, path, &changes)
                    if isInherited, old.inheritance != now.inheritance {
                        let names = [old, now].map {
                            ($0.inheritance.sorted() + ["init"]).joined(separator: " ")
                        }
                        changes.add(break: "\(path) has changed from `\(names[0])` to `\(names[1])`")
                    }
                }
            }
        }
    }

    /// Every declaration, by path.
    var all: [String: [Declaration]] { declarations }

    subscript(path: String) -> [Declaration] { declarations[path] ?? [] }

    /// Whether the Api declares anything public at this path.
    func has(_ path: String) -> Bool { !self[path].isEmpty }

    /// Whether the Api declares a public struct, enum or class at this path.
    func declares(_ path: String) -> Bool {
        self[path].contains { $0.shape.contains(/^(?:@\S+ )*(?:struct|enum|class)\s/) }
    }

    /// The given protocols that a type does not conform to.
    func lacking(_ protocols: [String], of type: String) -> [String] {
        protocols.filter { self["conformance of \(type) to \($0)"].isEmpty }
    }

    func contains(_ shape: String, at path: String) -> Bool { self[path].contains { $0.shape == shape } }

    /// The grant for an associated type that has a default.
    static let defaultType = "its default type"

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

    /// Whether a declaration or a type that encloses the declaration is deprecated. Conformances and operators cannot
    /// be deprecated.
    private func isAnnounced(_ declaration: Declaration) -> Bool {
        declaration.isDeprecated || declaration.role == .conformance || declaration.role == .syntax
            || declaration.parent.map { self[$0].contains(where: isAnnounced) } ?? false
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
