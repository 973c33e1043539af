import ModuleKit

/// What one declaration says about another.
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

    var hasSetter: Bool { isSettable || grants.contains("its setter") }

    var hasPayload: Bool { kind == .enumCase && !parameters.isEmpty }

    /// Whether a member of a protocol's extension is a default implementation of a requirement.
    ///
    /// - Parameter package: The declaration with the platforms of the package.
    func implements(_ requirement: Self, on package: Self?) -> Bool {
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
    var base: String { String(path.prefix { $0 != "(" }) }

    var isNonexhaustive: Bool { modifiers.contains { $0.hasPrefix("@nonexhaustive") } }

    var isProtocol: Bool { kind == .protocol }

    func moved(from parent: String, to other: String) -> Self {
        var copy = self
        (copy.path, copy.parent) = (other + path.dropFirst(parent.count), other)
        return copy
    }

    /// Whether this function only adds parameters with default arguments to an old one, which nothing outside overrides.
    func accepts(callsOf old: Self) -> Bool {
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
    func harm(to types: [Self], hasDefault: Bool) -> String? {
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

extension ApiSurface.Declaration {
    /// Creates a promise of the manifest.
    package init(
        promising path: String, shape: String, grants: Set<String>, restrictions: [String: [Int]],
        at place: SourcePlace
    ) {
        self.init(
            path: path, condition: .always, kind: .other, shape: shape, grants: grants,
            restrictions: restrictions, isDeprecated: true, place: .init(place: place))
    }
}
