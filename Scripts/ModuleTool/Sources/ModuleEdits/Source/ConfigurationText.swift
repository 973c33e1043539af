import ModuleTree

extension Configuration {
    /// The configuration as YAML: the apps, the origins of packages, and the layers unless they are the default.
    var text: String { layersText + appsText }

    /// The layers as YAML, unless they are the default.
    var layersText: String {
        var lines = [
            "# The configuration of Scripts/modules. Missing keys have their default values."
        ]
        if layers == Configuration().layers {
            lines.append("deny: []  # what no layer may use, such as third-party packages")
        } else {
            lines.append(
                "layers:  # from bottom to top; a package may depend on its own layer and on lower ones")
            for layer in layers {
                lines.append("  - name: \(layer.name)")
                if !layer.folders.isEmpty {
                    lines.append("    folders: [\(layer.folders.map(Self.quoted).joined(separator: ", "))]")
                }
                if layer.pairs != .none { lines.append("    pairs: \(layer.pairs)") }
                if layer.isApps { lines.append("    apps: true") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The apps and the origins of packages as YAML.
    private var appsText: String {
        var lines = ["apps:"]
        for app in apps {
            lines.append("  - manifest: \(Self.quoted(app.manifest))  # with the list of pairs")
            lines.append("    packages: \(Self.quoted(app.packages.isEmpty ? "." : app.packages))")
            lines.append("    registrations: \(Self.quoted(app.registrations))")
        }
        lines.append("uses:")
        for (name, source) in uses.sorted(by: { $0.key < $1.key }) {
            switch source {
            case .path(let path): lines.append("  \(name): {path: \(Self.quoted(path))}")
            case .url(let url, let from): lines.append("  \(name): {url: \(Self.quoted(url)), from: \(from)}")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A scalar, in quotes unless it consists of the characters of ordinary paths.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
        return isPlain ? text : "'\(text.replacing("'", with: "''"))'"
    }
}
