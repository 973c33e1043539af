/// The layer of a package. Dependencies point to the same layer or a lower one.
package enum Layer: String, Sendable, Hashable, CaseIterable {
    case core = "Core"
    case base = "Base"
    case adapters = "Adapters"
    /// Every `XxxApi` package under `Packages/Common` or `Packages/Business`.
    case api = "Api"
    case common = "Common"
    case business = "Business"
    case apps = "Apps"

    /// The position of the layer, counted from 0 at the bottom.
    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The purpose of a package.
package enum PackageRole: String, Sendable, Hashable {
    /// `XxxApi`: the interface of Xxx to other modules.
    case api
    /// `Xxx`: the implementation of its Api, or an alternative implementation of another pair's Api.
    case imp
    /// `XxxActions`: a facade of the mediator.
    case facade
    case plain
    /// A package that links modules into an app: the root package, or any package under `Apps`.
    case app
    /// Any package outside the layers, such as a package under `Scripts`.
    case other
}
