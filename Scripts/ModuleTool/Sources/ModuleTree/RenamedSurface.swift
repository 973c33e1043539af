extension ApiSurface {
    /// This surface with the new names of the types that have been renamed, if the new surface keeps each old name as
    /// a type alias. Code that uses the old name then still compiles.
    func renamed(in new: ApiSurface) -> ApiSurface {
        var result = self
        for (old, declarations) in declarations.sorted(by: { $0.key < $1.key }) {
            guard let type = declarations.first, type.isType, declarations.count == 1,
                let alias = new[old].first, new[old].count == 1, alias.condition == type.condition,
                let name = alias.aliasedName,
                let target = [alias.parent.map { $0 + "." + name }, name]
                    .compactMap(\.self).first(where: { new[$0].first?.isType ?? false }), target != old
            else { continue }
            result = result.renaming(old, to: target)
        }
        return result
    }

    private func renaming(_ old: String, to new: String) -> ApiSurface {
        let names = [(old, new), (Self.last(old), Self.last(new))]
        func renamed(_ text: String) -> String {
            names.reduce(text) { text, names in Self.replacing(names.0, with: names.1, in: text) }
        }
        var result: [String: [Declaration]] = [:]
        for (path, declarations) in declarations {
            result[renamed(path), default: []] += declarations.map { $0.mappingNames(renamed) }
        }
        return ApiSurface(declarations: result)
    }

    private static func last(_ path: String) -> String {
        path.split(separator: ".").last.map(String.init) ?? path
    }

    /// Replaces a name, but not as a part of a longer name.
    private static func replacing(_ name: String, with new: String, in text: String) -> String {
        func isPart(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        }
        var (result, rest) = ("", text[...])
        while let range = rest.firstRange(of: name) {
            let before = rest[..<range.lowerBound].last ?? result.last
            let isWhole = !isPart(before) && !isPart(rest[range.upperBound...].first)
            result += rest[..<range.lowerBound] + (isWhole ? new : name)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

extension ApiSurface.Declaration {
    fileprivate var isType: Bool {
        shape.contains(/^(?:@\S+ )*(?:struct|enum|class|actor|protocol|distributed actor)\s/)
    }

    /// The name `B` in `typealias A = B` and `typealias A<T> = B<T>`; nil for all other declarations.
    fileprivate var aliasedName: String? {
        guard
            let match = shape.firstMatch(of: /^(?:@\S+ )*typealias \w+(<[\w, ]*>)? = ([\w.]+)(<[\w, ]*>)?$/),
            match.1 == match.3
        else { return nil }
        return String(match.2)
    }

    fileprivate func mappingNames(_ map: (String) -> String) -> Self {
        var copy = Self(
            path: map(path), parent: parent.map(map), extended: extended.map(map), condition: condition,
            role: role,
            shape: map(shape))
        (copy.types, copy.grants, copy.restrictions) = (map(types), grants, restrictions)
        (copy.inheritance, copy.isDeprecated) = (inheritance, isDeprecated)
        // A string is a value, even if it contains the name.
        copy.values = values.mapValues { $0.hasPrefix("\"") ? $0 : map($0) }
        return copy
    }
}
