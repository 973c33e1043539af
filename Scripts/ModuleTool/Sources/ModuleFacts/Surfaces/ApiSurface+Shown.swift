import ModuleKit

extension ApiSurface {
    /// Whether a public declaration names a type of another module.
    package func shows(_ other: ApiSurface) -> Bool {
        let types = Set(
            other.declarations.keys.filter {
                !$0.contains(".") && other[$0].contains { $0.isType || $0.kind == .alias }
            })
        return declarations.values.joined().contains { declaration in
            !declaration.mentions.isDisjoint(with: types) || !types.isDisjoint(with: declaration.names)
                || declaration.extended.map { types.contains(String($0.prefix { $0 != "." })) } ?? false
        }
    }
}

extension ApiSurface.Changes {
    /// Adds the breaks of a library whose types this module shows.
    ///
    /// - Parameter place: The place of breaks that have none.
    package mutating func add(_ library: Self, of name: String, at place: SourcePlace) {
        isChanged = isChanged || !library.breaks.isEmpty
        breaks += library.breaks.map {
            .init(
                what: $0.what, place: $0.place ?? place, isUnannounced: $0.isUnannounced,
                library: $0.library ?? name)
        }
    }
}
