import Foundation
import ModuleKit

extension Configuration {
    /// Reads the configuration of a tree; nil if the tree has none.
    package init?(root: String) throws(Diagnostic) {
        let file = root + "/" + Self.path
        let files = FileManager.default
        guard (try? files.attributesOfItem(atPath: file)) != nil else {
            guard files.fileExists(atPath: root + "/.modules.yaml") else { return nil }
            throw Diagnostic(
                .configuration, at: ".modules.yaml", "is ignored",
                why: "The configuration is in \(Self.path).",
                fix: "Run: git mv .modules.yaml \(Self.path)")
        }
        guard let data = files.contents(atPath: file) else { throw .unreadable(Self.path, root: root) }
        guard data.count <= 1 << 16, let text = String(bytes: data, encoding: .utf8) else {
            throw Diagnostic(
                .configuration, at: Self.path,
                data.count > 1 << 16 ? "is larger than 64 KB" : "is not UTF-8 text",
                why: "The tool reads text of up to 64 KB.",
                fix: "Write it as described in ModuleTool's Configuration.md.")
        }
        try self.init(yaml: text) { files.fileExists(atPath: root + "/" + $0) }
    }

    /// Reads the text of `.modules.yml`.
    ///
    /// - Parameter exists: Whether a path below the root exists.
    package init(yaml: String, exists: (String) -> Bool = { _ in true }) throws(Diagnostic) {
        self.init()
        guard let root = try YAMLValue(yaml, in: Self.path) else { return }
        let entries = try root.entries([
            "api-suffix", "module-suffix", "layers", "deny", "api-imports", "test-support", "apps", "uses",
            "new-packages",
            "exclude", "reads", "releases-after", "release-tags", "rules", "versions",
        ])
        if let value = entries["api-suffix"] { apiSuffix = try value.name() }
        if let value = entries["module-suffix"] { moduleSuffix = try value.name() }
        if let value = entries["deny"] ?? entries["layers"] {
            // The default denials name this repository's layers, so they do not apply to a tree with its own layers.
            deny = try entries["deny"] == nil ? [] : value.elements.map(Denial.init)
        }
        if let value = entries["layers"] { layers = try Self.layers(value, deny, exists) }
        for element in try entries["api-imports"]?.elements ?? [] {
            let module = try element.name()
            try element.check(module != "Foundation", "every Api may import Foundation", "Remove it.")
            try element.check(
                !apiImports.contains { $0.module == module }, "\(module) is listed twice",
                "Remove one of the entries.")
            apiImports.append(ApiImport(module, at: element.place))
        }
        if let value = entries["test-support"] { testSupport = try value.texts }
        if let value = entries["apps"] {
            apps = try value.elements.map { (element) throws(Diagnostic) in try App(element, exists) }
        }
        for (name, value) in try entries["uses"]?.entries(["ApiCenter", "Lifecycle"]) ?? [:] {
            uses[name] = try Source(value, exists)
        }
        if let value = entries["new-packages"] { newPackages = try NewPackages(value) }
        if let value = entries["exclude"] {
            exclude = try value.elements.map { (element) throws(Diagnostic) in try element.path(exists) }
        }
        if let value = entries["reads"] {
            reads = try value.elements.map { (element) throws(Diagnostic) in try Reads(element, exists) }
        }
        releasesAfter = try entries["releases-after"]?.text
        if let value = entries["release-tags"] { releaseTags = try value.texts }
        if let value = entries["versions"] { versions = try value.choice() }
        for element in try entries["rules"]?.elements ?? [] {
            let setting = try RuleSetting(element)
            try element.check(
                !rules.contains { $0.rule == setting.rule }, "\(setting.rule) is listed twice",
                "Remove one of the entries.")
            rules.append(setting)
        }
    }

    // MARK: Layers

    private static func layers(
        _ value: YAMLValue, _ deny: [Denial], _ exists: (String) -> Bool
    ) throws(Diagnostic) -> [Layer] {
        var layers: [Layer] = []
        var folders: [(folder: String, layer: String)] = []
        for element in try value.elements {
            let entries = try element.entries(["name", "folders", "pairs", "apps", "allow", "deny"])
            let name = try element.require("name", in: entries)
            var layer = Layer(try name.name(with: "_-"))
            if let value = entries["pairs"] { layer.pairs = try value.choice() }
            if let value = entries["apps"] { layer.isApps = try value.flag }
            for other in layers {
                try name.check(
                    layer.name.lowercased() != other.name.lowercased(),
                    "there are two layers named \(layer.name)", "Remove one of them, or merge their folders.")
                try element.check(
                    !(layer.isApps && other.isApps || layer.pairs == .apis && other.pairs == .apis),
                    "only one layer may hold the \(layer.isApps ? "apps" : "Apis")", "Remove this key.")
            }
            try element.check(
                !layer.isApps || layer.pairs == .none, "a layer of apps cannot have pairs",
                "Remove one of the keys `pairs` and `apps`.")
            for folder in try entries["folders"]?.elements ?? [] {
                // `new-module` creates the folder of a layer with pairs.
                let path = try layer.pairs == .none ? folder.path(exists) : folder.path
                for other in folders {
                    try folder.check(
                        other.folder != path, "\(path) is a folder of the layer \(other.layer) too",
                        "Assign each package to one layer.")
                }
                folders.append((path, layer.name))
                layer.folders.append(path)
            }
            try name.check(
                layer.pairs == .apis ? layer.folders.isEmpty : layer.isApps || !layer.folders.isEmpty,
                "the layer \(layer.name) \(layer.folders.isEmpty ? "has no folders" : "cannot have folders")",
                "Write folders: [Packages/\(layer.name)], but none for all Apis, which lie next to their IMPs."
            )
            for value in try entries["allow"]?.elements ?? [] {
                layer.allow.append(try value.text)
                try value.check(
                    deny.contains { $0.use == layer.allow.last },
                    "no entry of `deny` has this name, so the layer may use it anyway", "Remove it.")
            }
            layer.deny = try entries["deny"]?.elements.map(Denial.init) ?? []
            layers.append(layer)
        }
        return layers.ranked
    }
}

extension Denial {
    fileprivate init(_ value: YAMLValue) throws(Diagnostic) {
        let entries = try value.entries(["use", "reason"])
        self.init(
            try value.require("use", in: entries).text, reason: try value.require("reason", in: entries).line)
    }
}

extension Configuration.RuleSetting {
    fileprivate init(_ value: YAMLValue) throws(Diagnostic) {
        let entries = try value.entries(["rule", "severity", "reason"])
        let rule = try value.require("rule", in: entries)
        self.init(
            try rule.text, try value.require("severity", in: entries).choice(),
            reason: try value.require("reason", in: entries).line, at: rule.place)
    }
}

extension Configuration.App {
    fileprivate init(_ value: YAMLValue, _ exists: (String) -> Bool) throws(Diagnostic) {
        self.init()
        let entries = try value.entries(["manifest", "registrations", "packages", "trait", "sources"])
        if let value = entries["manifest"] { manifest = try value.path(exists) }
        let list = try value.require("registrations", in: entries)
        registrations = try list.path
        // `modules registrations` creates the file, but not its folder.
        _ = try list.existing(PathText.split(registrations).folder) { $0.isEmpty || exists($0) }
        if let value = entries["packages"] { packages = try value.text == "." ? "" : value.path(exists) }
        if let value = entries["trait"] { trait = try value.choice() }
        sources = try entries["sources"]?.path(exists)
    }
}

extension Configuration.Source {
    fileprivate init(_ value: YAMLValue, _ exists: (String) -> Bool) throws(Diagnostic) {
        let entries = try value.entries(["path", "url", "from"])
        switch (entries["path"], entries["url"], entries["from"]) {
        case (let path?, nil, nil): self = .path(try path.path(exists))
        case (nil, let url?, let from?): self = .url(try url.text, from: try from.version(parts: 3...3))
        default: throw value.error("a package needs either path, or url and from", "Write: path: FOLDER")
        }
    }
}

extension Configuration.Reads {
    fileprivate init(_ value: YAMLValue, _ exists: (String) -> Bool) throws(Diagnostic) {
        let entries = try value.entries(["targets", "files", "environment", "programs", "may-skip"])
        targets = try value.require("targets", in: entries).texts
        files =
            try entries["files"]?.elements.map { (path) throws(Diagnostic) in
                try path.text == "." ? "" : path.path(exists)
            } ?? []
        environment = try entries["environment"]?.texts ?? []
        programs = try entries["programs"]?.texts ?? []
        maySkip = try entries["may-skip"]?.flag ?? false
    }
}

extension Configuration.NewPackages {
    fileprivate init(_ value: YAMLValue) throws(Diagnostic) {
        self.init()
        let entries = try value.entries(["tools-version", "platforms", "copies"])
        copies = try entries["copies"]?.path
        if let value = entries["tools-version"] { toolsVersion = try value.version(parts: 2...3) }
        guard let value = entries["platforms"] else { return }
        platforms = [:]
        for (name, version) in try value.entries(PlatformName.versioned) {
            platforms[name] = try version.version(parts: 1...3)
        }
    }
}
