extension ApiSurface {
    /// This surface with the new names of the types that have been renamed, if the new surface keeps each old name as
    /// a type alias. Code that uses the old name then still compiles.
    func renamed(in new: ApiSurface) -> ApiSurface {
        var result = self
        for (path, types) in declarations.sorted(by: { $0.key < $1.key })
        where types.count == 1 && types[0].isType {
            guard let alias = new[path].first, new[path].count == 1, alias.condition == types[0].condition,
                Set(alias.restrictions.keys).isSubset(of: types[0].restrictions.keys),
                alias.kind == .alias, let name = alias.names.first, let old = path.split(separator: ".").last,
                new[alias.parent.map { $0 + "." + name } ?? name].contains(where: \.isType)
            else { continue }
            result.rename(String(old), to: name)
        }
        return result
    }

    private mutating func rename(_ old: String, to new: String) {
        func renamed(_ text: String) -> String {
            text.replacing(/\w+/) { $0.output == old ? new : String($0.output) }
        }
        let all = declarations.map { path, found in
            let found = found.map { declaration in
                var copy = declaration
                (copy.path, copy.parent) = (renamed(copy.path), copy.parent.map(renamed))
                copy.extended = copy.extended.map(renamed)
                (copy.shape, copy.types) = (renamed(copy.shape), renamed(copy.types))
                copy.names = copy.names.map(renamed)
                copy.encoded = copy.encoded?.mapValues(renamed)
                // A string is a value, even if it contains the name.
                copy.values = copy.values.mapValues { $0.hasPrefix("\"") ? $0 : renamed($0) }
                return copy
            }
            return (renamed(path), found)
        }
        declarations = Dictionary(all) { $0 + $1 }
    }
}
