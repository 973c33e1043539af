extension Configuration {
    /// The layer that contains a package's folder or, for an Api package, the layer for all Apis if there is one.
    func layer(of path: String) -> Layer? {
        guard let layer = layer(containing: path), isApi(path, in: layer) else {
            return layer(containing: path)
        }
        return layers.first { $0.pairs == .apis } ?? layer
    }

    /// The role of a package.
    ///
    /// Where pairs are required, a package is an IMP even without an Api; the `pair-halves` rule reports the missing
    /// Api. Where they are optional, a package is an IMP if it has an Api beside it, or if it has the dependencies
    /// that an alternative IMP needs.
    ///
    /// - Parameter folders: The folders of all packages.
    func role(of path: String, _ manifest: Manifest, among folders: Set<String>) -> PackageRole {
        if apps.contains(where: { $0.folder == path }) { return .app }
        guard let layer = layer(containing: path) else { return .other }
        if layer.isApps { return .app }
        if isApi(path, in: layer) { return .api }
        if layer.pairs == .required { return .imp }
        let identities = manifest.dependencies.filter { $0.path != nil }.map(\.identity)
        if layer.pairs == .optional, folders.contains(api(path)) || registers(identities) { return .imp }
        return path.hasSuffix("Actions") && identities.contains("mediator") ? .facade : .plain
    }

    /// The layer whose folder contains a package most closely, for an Api too. The root is an app.
    package func layer(containing path: String) -> Layer? {
        if path.isEmpty { return layers.first(where: \.isApps) }
        let folders = layers.flatMap { layer in layer.folders.filter(path.isInside).map { ($0.count, layer) }
        }
        return folders.max { $0.0 < $1.0 }?.1
    }

    private func isApi(_ path: String, in layer: Layer) -> Bool {
        (layer.pairs == .optional || layer.pairs == .required) && path.hasSuffix(apiSuffix)
    }

    /// Whether a package depends on Lifecycle and on an Api. An alternative IMP needs both: its module type
    /// conforms to a Lifecycle protocol, and registers the Api's protocol.
    private func registers(_ identities: [String]) -> Bool {
        let suffix = apiSuffix.lowercased()
        return identities.contains("lifecycle") && identities.contains { $0.hasSuffix(suffix) }
    }
}
