/// Compares an Api's surface with an earlier one, under every combination of `#if` conditions.
struct SurfaceComparison {
    private let old: ApiSurface
    private let new: ApiSurface
    private(set) var changes = ApiSurface.Changes()
    /// The new functions, by their paths without labels.
    private let functions: [String: [ApiSurface.Declaration]]

    typealias Declaration = ApiSurface.Declaration

    init(of old: ApiSurface, with new: ApiSurface) {
        let (old, new) = old.decided(with: new)
        (self.old, self.new) = (old.renamed(in: new), new)
        functions = Dictionary(grouping: new.declarations.values.joined(), by: \.base)
        for path in Set(self.old.declarations.keys).union(new.declarations.keys).sorted() { compare(path) }
    }

    /// Adds a change that breaks nobody.
    private mutating func add(_ declaration: Declaration) {
        changes.isChanged = true
        if let place = declaration.place.place { changes.additions.append(place) }
    }

    private mutating func add(_ what: String, at place: Declaration?, isUnannounced: Bool = false) {
        changes.isChanged = true
        if changes.breaks.contains(where: { $0.what == what }) { return }
        changes.breaks.append(.init(what: what, place: place?.place.place, isUnannounced: isUnannounced))
    }

    private mutating func compare(_ path: String) {
        let (before, after) = (old[path], new[path])
        guard before != after, let any = before.first ?? after.first else { return }
        let parents = any.parent.map { (old[$0], new[$0]) } ?? ([], [])
        let near = before + after + parents.0 + parents.1 + new["extension " + path]
        guard let possibilities = Condition.possibilities(near.map(\.condition)) else {
            return add("\(path) has changed under more #if conditions than can be compared", at: after.first)
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
                add("\(path) has changed from `\(old.shape)` to `\(now.shape)`", at: now)
            }
            for declaration in lost.dropFirst(gained.count) { remove(declaration, path, on) }
            for declaration in gained.dropFirst(lost.count) {
                add(declaration)
                if let harm = declaration.harm(to: active(parents.0), hasDefault: hasDefault(declaration, on))
                {
                    add("\(path) is a new \(harm)", at: declaration)
                } else if declaration.hasPayload, let type = declaration.parent, self.old.isHashable(type) {
                    add("\(type) is no longer Hashable, because a case has a payload", at: declaration)
                }
            }
            for old in old {
                for now in now where now.shape == old.shape {
                    compare(old, now, path)
                    if old.names != now.names { compareNames(old, now, on) }
                }
            }
        }
    }

    // MARK: Removed declarations

    /// Reports a declaration that is missing from the new state under some conditions.
    private mutating func remove(_ declaration: Declaration, _ path: String, _ on: Set<String>) {
        let requirement = declaration.path
        let container = declaration.parent.flatMap { new[$0].first }
        if path != requirement, !old[requirement].isEmpty {
            // Without the requirement, callers cannot see the default implementation.
            let kept = requirements(like: declaration, in: new, on).first
            if let kept, !hasDefault(declaration, on) {
                add("\(requirement) has lost its default implementation", at: kept)
            }
            return
        }
        if declaration.isRequirement {
            let isInherited = requirements(like: declaration, in: new, on).contains {
                $0.shape == declaration.shape
            }
            if isInherited { return changes.isChanged = true }
            if !new["extension " + path].isEmpty {
                return add("\(path) is no longer a requirement", at: new["extension " + path].first)
            }
        } else if let longer = functions[declaration.base, default: []].first(where: {
            $0.condition.holds(on) && $0.accepts(callsOf: declaration)
        }) {
            return compare(declaration, longer, path)
        }
        let line =
            path + (new[path].isEmpty ? " has been removed" : " has been removed under some #if conditions")
        add(line, at: container, isUnannounced: !isAnnounced(declaration))
    }

    /// Whether a declaration or a type that encloses the declaration is deprecated.
    private func isAnnounced(_ declaration: Declaration) -> Bool {
        declaration.isDeprecated || declaration.parent.map { old[$0].contains(where: isAnnounced) } ?? false
    }

    // MARK: Protocols and enums

    /// The requirements with the path of a protocol's requirement, in the protocol and those that it inherits.
    private func requirements(
        like declaration: Declaration, in surface: ApiSurface, _ on: Set<String>
    ) -> [Declaration] {
        guard let parent = declaration.parent else { return [] }
        let member = declaration.path.dropFirst(parent.count)
        return surface.protocols(of: parent).flatMap { surface[$0 + member] }.filter {
            $0.isRequirement && $0.condition.holds(on)
        }
    }

    /// Whether the protocol of a requirement, or one that it inherits, has a default implementation for it.
    private func hasDefault(_ declaration: Declaration, _ on: Set<String>) -> Bool {
        guard let parent = declaration.parent else { return false }
        let member = declaration.path.dropFirst(parent.count)
        return new.protocols(of: parent).flatMap { new["extension " + $0 + member] }.contains {
            $0.condition.holds(on) && $0.implements(declaration, on: new["the package"].first)
        }
    }

    private mutating func compareNames(_ before: Declaration, _ now: Declaration, _ on: Set<String>) {
        let path = now.path
        guard now.isProtocol else {
            let isOrdered =
                !old["conformance of \(path) to CaseIterable"].isEmpty && new[path + ".allCases"].isEmpty
                || !old["conformance of \(path) to Comparable"].isEmpty && new[path + ".<(_:_:)"].isEmpty
            if isOrdered, before.names.filter(now.names.contains) != now.names.filter(before.names.contains) {
                add("the order of the cases of \(path) has changed", at: now)
            }
            return
        }
        add(now)
        let inherited = (Set(old.protocols(of: path)), Set(new.protocols(of: path)))
        for name in inherited.0.subtracting(inherited.1).sorted() {
            add("\(path) no longer inherits \(name)", at: now)
        }
        for name in inherited.1.subtracting(inherited.0).sorted() {
            // A requirement may move to a protocol that the old one inherits.
            let isKnown = new[name].contains(where: \.isProtocol)
            let lacking = new.declarations.values.joined().filter {
                $0.parent == name && $0.isRequirement
            }
            .filter { requirement in
                let moved = requirement.moved(from: name, to: path)
                return !requirements(like: moved, in: old, on).contains { $0.shape == requirement.shape }
                    && !hasDefault(moved, on)
            }
            if !isKnown || !lacking.isEmpty {
                add("\(path) inherits \(name), which conforming types may lack", at: now)
            }
        }
    }

    // MARK: Changed declarations

    private mutating func compare(_ old: Declaration, _ new: Declaration, _ path: String) {
        for grant in old.grants.subtracting(new.grants).sorted() {
            add("\(path) has lost \(grant)", at: new)
        }
        for (name, value) in old.values.sorted(by: { $0.key < $1.key }) where new.values[name] != value {
            if let now = new.values[name] {
                add("\(path) has changed \(name) from \(value) to \(now)", at: new)
            } else if name == Declaration.value, !new.hasSetter {
                add("\(path) is no longer the constant \(value)", at: new)
            }
        }
        for (name, version) in new.restrictions.sorted(by: { $0.key < $1.key }) {
            if let known = old.restrictions[name], !known.lexicographicallyPrecedes(version) { continue }
            let text = ([name] + [version.map(String.init).joined(separator: ".")]).joined(separator: " ")
            add("\(path) is now restricted: \(text)", at: new)
        }
        if old.grants != new.grants || old.restrictions != new.restrictions
            || old.isDeprecated != new.isDeprecated
        {
            add(new)
        }
    }
}

extension ApiSurface {
    package struct Changes: Sendable, Equatable {
        /// Whether anything visible to callers differs, including additions.
        package var isChanged = false
        /// The changes that break callers or conforming types.
        package var breaks: [Break] = []
        /// The declarations that changed without a break: added, relaxed or deprecated ones.
        package var additions: [SourcePlace] = []

        package init() {}

        /// Adds the changes of another module of the package. Those of its fakes need no deprecation.
        package mutating func add(_ other: Self, areFakes: Bool) {
            isChanged = isChanged || other.isChanged
            additions += other.additions
            breaks += other.breaks.map {
                Break(what: $0.what, place: $0.place, isUnannounced: $0.isUnannounced && !areFakes)
            }
        }
    }

    /// A change that breaks callers or conforming types.
    package struct Break: Sendable, Equatable {
        package init(what: String, place: SourcePlace?, isUnannounced: Bool) {
            (self.what, self.place, self.isUnannounced) = (what, place, isUnannounced)
        }

        package let what: String
        /// The changed declaration or, if it was removed, the one that contained it; nil if that one is gone too.
        package let place: SourcePlace?
        /// Whether a declaration was removed without prior deprecation.
        package let isUnannounced: Bool
    }

    /// Compares this state with a newer one.
    package func changes(to new: ApiSurface) -> Changes { SurfaceComparison(of: self, with: new).changes }

    /// Whether an enum conforms to Hashable only because none of its cases has a payload.
    fileprivate func isHashable(_ path: String) -> Bool {
        self[path].contains { type in
            !type.names.isEmpty
                && !type.names.contains { self["\(path).\($0)"].contains(where: \.hasPayload) }
        } && self["conformance of \(path) to Equatable"].isEmpty
    }

    /// A protocol and all protocols that it inherits, directly or indirectly.
    fileprivate func protocols(of path: String) -> [String] {
        reachable(from: [path]) { self[$0].filter(\.isProtocol).flatMap(\.names) }
    }
}

extension ApiSurface.Declaration {
    /// The grant for an associated type that has a default.
    static let defaultType = "its default type"
    /// The value of a constant, and that of a getter with one expression, which may be a constant.
    static let value = "its value"
    static let computedValue = "its computed value"
    static let rawValue = "its raw value"
    /// What determines the type of a variable that states none.
    static let inferredType = "its inferred type"
    static let untypedThrows = "throws(Error)"

    fileprivate var hasSetter: Bool { isSettable || grants.contains("its setter") }

    fileprivate var hasPayload: Bool { kind == .enumCase && !parameters.isEmpty }

    /// Whether a member of a protocol's extension is a default implementation of a requirement.
    ///
    /// - Parameter package: The declaration with the platforms of the package.
    fileprivate func implements(_ requirement: Self, on package: Self?) -> Bool {
        let throwsAny = requirement.demands.contains(Self.untypedThrows)
        let more = demands.subtracting(requirement.demands).filter { demand in
            !throwsAny || !demand.hasPrefix("throws") && demand != "rethrows"
        }
        return types == requirement.types && more.isEmpty && (hasSetter || !requirement.hasSetter)
            && grants.isSuperset(of: requirement.grants.intersection([Self.nonmutatingSetter]))
            && modifiers.contains("static") == requirement.modifiers.contains("static")
            && restrictions.allSatisfy { name, version in
                if name.contains(" ") { return !name.hasSuffix(" unavailable") }
                let known = [requirement, package].compactMap { $0?.restrictions[name] }
                return name == "swift" || known.contains { !$0.lexicographicallyPrecedes(version) }
            }
    }

    static let nonmutatingSetter = "its nonmutating setter"

    /// The path without labels.
    fileprivate var base: String { String(path.prefix { $0 != "(" }) }

    fileprivate var isNonexhaustive: Bool { modifiers.contains { $0.hasPrefix("@nonexhaustive") } }

    fileprivate var isProtocol: Bool { kind == .protocol }

    fileprivate func moved(from parent: String, to other: String) -> Self {
        var copy = self
        (copy.path, copy.parent) = (other + path.dropFirst(parent.count), other)
        return copy
    }

    /// Whether this function only adds parameters with default arguments to an old one, which nothing outside overrides.
    fileprivate func accepts(callsOf old: Self) -> Bool {
        guard kind == old.kind, kind != .enumCase, isRequirement == old.isRequirement, !frame.isEmpty,
            frame == old.frame, !old.isOpen
        else { return false }
        var rest = old.parameters[...]
        for parameter in parameters {
            if let next = rest.first, next.label == parameter.label, next.type == parameter.type,
                parameter.hasDefault || !next.hasDefault
            {
                rest.removeFirst()
            } else if !parameter.hasDefault {
                return false
            }
        }
        return rest.isEmpty
    }

    /// How this new declaration breaks callers and conforming types; nil if it does not.
    ///
    /// - Parameter types: The old declarations of the type that contains it.
    fileprivate func harm(to types: [Self], hasDefault: Bool) -> String? {
        if isRequirement, !hasDefault, grants.isDisjoint(with: [Self.defaultType, "optional"]) {
            return "requirement without a default implementation"
        }
        if kind == .enumCase, !types.contains(where: \.isNonexhaustive) {
            return "case, which existing switch statements do not handle"
        }
        // A subclass inherits the convenience initializers only if it overrides all others.
        let isInitializer = kind == .initializer && !modifiers.contains("convenience")
        return isInitializer && types.contains(where: \.isOpen)
            ? "initializer of an open class, which existing subclasses lack" : nil
    }
}
