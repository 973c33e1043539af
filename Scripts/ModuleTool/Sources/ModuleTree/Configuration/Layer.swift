/// A layer of the tree: the packages in its folders. Dependencies point to the same layer or a lower one.
package struct Layer: Sendable, Hashable {
    /// Which packages of a layer are halves of pairs.
    package enum Pairs: String, Sendable, CaseIterable {
        /// Every package is a library.
        case none
        /// The Api halves of all pairs, which lie beside their IMPs, in the folders of other layers.
        case apis
        /// Each package is half of a pair or a library.
        case optional
        /// Every package is half of a pair.
        case required
    }

    package let name: String
    /// The folders of the layer's packages, relative to the root.
    package var folders: [String] = []
    package var pairs = Pairs.none
    /// Whether the packages link modules into apps. The root package belongs to this layer.
    package var isApps = false
    /// The entries of ``Configuration/deny`` that this layer may use.
    package var allow: [String] = []
    package var deny: [Denial] = []
    /// The position of the layer, counted from 0 at the bottom.
    package var rank = 0

    package init(
        _ name: String, folders: [String] = [], pairs: Pairs = .none, isApps: Bool = false,
        allow: [String] = [], deny: [Denial] = [], rank: Int = 0
    ) {
        (self.name, self.folders, self.pairs, self.isApps) = (name, folders, pairs, isApps)
        (self.allow, self.deny, self.rank) = (allow, deny, rank)
    }

    /// Whether a package lies in one of the layer's folders, or is the folder itself.
    package func contains(_ path: String) -> Bool { folders.contains { path.isInside($0) } }
}

/// Something that the packages of a layer must not use.
package struct Denial: Sendable, Hashable {
    /// ``thirdParty``, ``testSupport``, or the name of a layer, a package or a module.
    package let use: String
    package let reason: String

    package init(_ use: String, reason: String) { (self.use, self.reason) = (use, reason) }

    /// Every package that comes from a URL or a registry.
    package static let thirdParty = "third-party"
    /// The identities of the packages in Core and Base of this tool's repository, and of its build plugin: a tree that
    /// takes them by URL does not use third-party packages.
    package static let own: Set = [
        "apicenter", "apiservice", "digests", "launch", "lifecycle", "links", "locking", "loopback",
        "mediator", "modulecheck", "pages", "providers", "routes", "screens", "storage", "testsupport",
    ]
    /// Every module of ``Configuration/testSupport``.
    package static let testSupport = "test-support"
}

extension String {
    /// Whether this path is a folder, or lies below it.
    package func isInside(_ folder: String) -> Bool {
        hasPrefix(folder) && (count == folder.count || hasPrefix(folder + "/"))
    }
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
    /// A package that links modules into an app: the root package, or any package in the layer of apps.
    case app
    /// Any package outside the layers, such as a package under `Scripts`.
    case other
}
