import ModuleTree

extension Configuration {
    /// The configuration as YAML: the apps, the origins of packages, and the layers unless they are the default.
    var text: String {
        layersText + "apps:\n"
            + apps.map { app in
                """
                  - manifest: \(app.manifest.scalar)  # with the list of pairs
                    packages: \((app.packages.isEmpty ? "." : app.packages).scalar)
                    registrations: \(app.registrations.scalar)

                """
            }.joined() + "uses:\n"
            + uses.sorted { $0.key < $1.key }.map { name, source in
                switch source {
                case .path(let path): "  \(name): {path: \(path.scalar)}\n"
                case .url(let url, let from): "  \(name): {url: \(url.scalar), from: \(from)}\n"
                }
            }.joined()
            + (versions == .none ? "versions: none  # the app ships as one\n" : "")
            + (exclude.isEmpty ? "" : "exclude: [\(exclude.map(\.scalar).joined(separator: ", "))]\n")
            + (newPackages.copies.map { "new-packages:\n  copies: \($0.scalar)  # where add puts packages\n" }
                ?? "")
    }

    /// The layers as YAML, unless they are the default.
    var layersText: String {
        let start = "# The configuration of Scripts/modules. Missing keys have their default values.\n"
        if layers == Configuration().layers { return start }
        return start
            + "layers:  # from bottom to top; a package may depend on its own layer and on lower ones\n"
            + layers.map { layer in
                "  - name: \(layer.name)\n"
                    + (layer.folders.isEmpty
                        ? "" : "    folders: [\(layer.folders.map(\.scalar).joined(separator: ", "))]\n")
                    + (layer.pairs == .none ? "" : "    pairs: \(layer.pairs)\n")
                    + (layer.isApps ? "    apps: true\n" : "")
            }.joined()
    }
}

extension String {
    /// The text as a scalar in YAML, in quotes unless it consists of the characters of ordinary paths.
    fileprivate var scalar: String {
        wholeMatch(of: /[A-Za-z][A-Za-z0-9\/._+-]*/) == nil ? "'\(replacing("'", with: "''"))'" : self
    }
}
