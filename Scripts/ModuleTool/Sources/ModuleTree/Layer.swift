/// Where a package stands in the tree. Dependencies point to the same layer or a lower one.
package enum Layer: String, Sendable, Hashable, CaseIterable {
    case core = "Core"
    case base = "Base"
    case adapters = "Adapters"
    /// Every `XxxApi` package, whatever its folder.
    case api = "Api"
    case common = "Common"
    case business = "Business"
    case apps = "Apps"

    /// Bottom first.
    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What a package is for.
package enum PackageRole: String, Sendable, Hashable {
    /// `XxxApi`: what other modules may see of Xxx.
    case api
    /// `Xxx`: the implementation of its Api, or an alternative implementation of another's.
    case imp
    /// `XxxActions`: a mediator's facade.
    case facade
    case plain
    /// What links the modules: the root, and whatever lies under `Apps`.
    case app
    /// The packages under `Scripts`, and any package outside the layers.
    case other
}
