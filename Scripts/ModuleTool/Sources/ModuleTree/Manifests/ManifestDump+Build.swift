import ModuleKit

/// Reads how SwiftPM builds the package.
extension ManifestDump {
    /// Thrown for a value of unknown meaning.
    private struct Unknown: Error { let value: String }

    func build() throws -> BuildManifest {
        var build = BuildManifest()
        build.toolsVersion = Manifest.numbers(package.object("toolsVersion").text("_version") ?? "")
        build.defaultLocalization = package.text("defaultLocalization")
        build.cStandard = package.text("cLanguageStandard").map(Self.standard)
        build.cxxStandard = package.text("cxxLanguageStandard").map(Self.standard)
        build.languageModes = package["swiftLanguageVersions"] as? [String]
        build.traits = traits
        for dependency in package.objects("dependencies") { try Self.add(Dependency(dependency), to: &build) }
        do {
            for platform in package.objects("platforms") {
                let name = try Self.platform(platform.text("platformName") ?? "")
                build.platforms[name] = Manifest.numbers(platform.text("version") ?? "")
            }
            for target in package.objects("targets") {
                build.targets[target.text("name") ?? ""] = try Self.target(target)
            }
        } catch let part as Unknown {
            build.unknown = part.value
        }
        return build
    }

    private static func platform(_ name: String) throws -> String {
        guard let known = BuildManifest.platform(name) else {
            throw Unknown(value: "the platform \(name)")
        }
        return known
    }

    /// The name of a language standard in PackageDescription: `cxx20` for `c++20`.
    private static func standard(_ name: String) -> String {
        name.replacing("gnu++", with: "gnucxx").replacing("c++", with: "cxx").replacing(":", with: "_")
    }

    private static func add(_ dependency: Dependency, to build: inout BuildManifest) {
        if dependency.values["traits"] != nil {
            let selections = dependency.values.objects("traits").map { trait in
                BuildManifest.Selection(
                    name: trait.text("name") ?? "", traits: Set(trait.object("condition").texts("traits")))
            }
            if selections != [.init(name: "default")] { build.selections[dependency.identity] = selections }
        }
        guard dependency.kind != "fileSystem" else { return }
        guard let requirement = dependency.requirement else {
            build.unknown = "\(dependency.values.object("requirement"))"
            return
        }
        build.remotes[dependency.identity] = .init(
            address: dependency.address ?? dependency.identity, isInRegistry: dependency.kind == "registry",
            requirement: requirement)
    }

    private static func target(_ dump: Object) throws -> BuildManifest.Target {
        var target = BuildManifest.Target()
        target.exclude = dump.texts("exclude")
        target.publicHeadersPath = dump.text("publicHeadersPath")
        target.packageAccess = dump["packageAccess"] as? Bool ?? true
        target.resources = try dump.objects("resources").map { resource in
            guard let rule = resource.object("rule").first, let path = resource.text("path") else {
                throw Unknown(value: "\(resource)")
            }
            let localization = (rule.value as? Object)?.text("localization")
            return .init(rule: rule.key, path: path, localization: localization)
        }
        target.settings = try dump.objects("settings").map(setting)
        return target
    }

    private static func setting(_ dump: Object) throws -> BuildManifest.Setting {
        guard let tool = BuildManifest.Setting.Tool(rawValue: (dump.text("tool") ?? "") + "Settings"),
            let kind = dump.object("kind").first
        else { throw Unknown(value: "\(dump)") }
        let condition = dump.object("condition")
        return .init(
            tool, kind.key, try arguments(of: kind.key, kind.value as? Object ?? [:], for: tool),
            platforms: try condition.texts("platformNames").map(platform),
            configuration: condition.text("config"), traits: Set(condition.texts("traits")))
    }

    /// The arguments of a setting as Swift code.
    private static func arguments(
        of name: String, _ values: Object, for tool: BuildManifest.Setting.Tool
    ) throws -> [String] {
        let value = values.text("_0") ?? ""
        switch name {
        case "define":
            // A macro of C and its value are one text.
            let parts =
                tool == .swift
                ? [value[...]]
                : value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.enumerated().map { ($0 == 0 ? "" : "to: ") + String($1).debugDescription }
        case "headerSearchPath", "linkedLibrary", "linkedFramework", "enableUpcomingFeature",
            "enableExperimentalFeature", "enableWarning", "disableWarning":
            return [value.debugDescription]
        case "unsafeFlags": return ["\(values.texts("_0"))"]
        case "strictMemorySafety": return []
        case "interoperabilityMode": return ["." + value]
        case "swiftLanguageMode": return [BuildManifest.code(ofLanguageMode: value)]
        case "treatAllWarnings": return ["as: .\(value)"]
        case "treatWarning": return [value.debugDescription, "as: .\(values.text("_1") ?? "")"]
        case "defaultIsolation": return [value == "MainActor" ? "MainActor.self" : "nil"]
        default: throw Unknown(value: "the setting \(name)")
        }
    }
}
