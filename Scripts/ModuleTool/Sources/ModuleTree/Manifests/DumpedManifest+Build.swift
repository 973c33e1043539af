import Foundation
import ModuleKit

/// Reads how SwiftPM builds a package from the output of `swift package dump-package`.
extension DumpedManifest {
    static func build(_ output: Output) throws -> BuildManifest {
        do {
            return try Dump(output.json).build
        } catch {
            throw Diagnostic(
                .environment, at: output.folder + "/Package.swift",
                "the output of `swift package dump-package` cannot be copied to another manifest: \(error)",
                why: "Its format may have changed with the Swift version.",
                fix: "Update DumpedManifest+Build.swift.")
        }
    }

    /// The parts of the output; the names are SwiftPM's.
    private struct Dump {
        typealias Object = [String: Any]

        /// Thrown for a value of unknown meaning.
        struct Unknown: Error { let value: String }

        let build: BuildManifest

        init(_ json: Data) throws {
            let dump = try JSONSerialization.jsonObject(with: json) as? Object ?? [:]
            var build = BuildManifest()
            build.toolsVersion = Manifest.numbers(
                (dump["toolsVersion"] as? Object)?["_version"] as? String ?? "")
            build.defaultLocalization = dump["defaultLocalization"] as? String
            build.cStandard = (dump["cLanguageStandard"] as? String).map(Self.standard)
            build.cxxStandard = (dump["cxxLanguageStandard"] as? String).map(Self.standard)
            build.languageModes = dump["swiftLanguageVersions"] as? [String]
            for trait in Self.objects(dump["traits"]) {
                build.traits[trait["name"] as? String ?? ""] = Set(Self.texts(trait["enabledTraits"]))
            }
            for dependency in Self.objects(dump["dependencies"]) {
                do {
                    try Self.add(dependency, to: &build)
                } catch let part as Unknown {
                    build.unknown = part.value
                }
            }
            do {
                for platform in Self.objects(dump["platforms"]) {
                    let name = try Self.platform(platform["platformName"] as? String ?? "")
                    build.platforms[name] = Manifest.numbers(platform["version"] as? String ?? "")
                }
                for target in Self.objects(dump["targets"]) {
                    build.targets[target["name"] as? String ?? ""] = try Self.target(target)
                }
            } catch let part as Unknown {
                build.unknown = part.value
            }
            self.build = build
        }

        private static func platform(_ name: String) throws -> String {
            guard let known = BuildManifest.platform(name) else {
                throw Unknown(value: "the platform \(name)")
            }
            return known
        }

        private static func objects(_ value: Any?) -> [Object] { value as? [Object] ?? [] }
        private static func texts(_ value: Any?) -> [String] { value as? [String] ?? [] }

        /// The name of a language standard in PackageDescription: `cxx20` for `c++20`.
        private static func standard(_ name: String) -> String {
            name.replacing("gnu++", with: "gnucxx").replacing("c++", with: "cxx").replacing(":", with: "_")
        }

        private static func add(_ dependency: Object, to build: inout BuildManifest) throws {
            guard let (kind, value) = dependency.first, let found = objects(value).first,
                let identity = found["identity"] as? String
            else { throw Unknown(value: "\(dependency)") }
            if let traits = found["traits"] {
                let selections = objects(traits).map { trait in
                    BuildManifest.Selection(
                        name: trait["name"] as? String ?? "",
                        traits: Set(texts((trait["condition"] as? Object)?["traits"])))
                }
                if selections != [.init(name: "default")] { build.selections[identity] = selections }
            }
            guard kind != "fileSystem" else { return }
            let location = found["location"] as? Object
            let url =
                objects(location?["remote"]).first?["urlString"] as? String ?? texts(location?["local"]).first
            build.remotes[identity] = .init(
                address: url ?? identity, isInRegistry: kind == "registry",
                requirement: try requirement(found["requirement"] as? Object ?? [:]))
        }

        private static func requirement(_ requirement: Object) throws -> BuildManifest.Requirement {
            if let version = texts(requirement["exact"]).first { return .exact(version) }
            for kind in ["branch", "revision"] {
                if let value = texts(requirement[kind]).first { return .reference(kind, value) }
            }
            guard let range = objects(requirement["range"]).first, let lower = range["lowerBound"] as? String,
                let upper = range["upperBound"] as? String
            else { throw Unknown(value: "\(requirement)") }
            return .range(lower, upper)
        }

        private static func target(_ dump: Object) throws -> BuildManifest.Target {
            var target = BuildManifest.Target()
            target.exclude = texts(dump["exclude"])
            target.publicHeadersPath = dump["publicHeadersPath"] as? String
            target.packageAccess = dump["packageAccess"] as? Bool ?? true
            target.resources = try objects(dump["resources"]).map { resource in
                guard let rule = (resource["rule"] as? Object)?.first, let path = resource["path"] as? String
                else {
                    throw Unknown(value: "\(resource)")
                }
                let localization = (rule.value as? Object)?["localization"] as? String
                return .init(rule: rule.key, path: path, localization: localization)
            }
            target.settings = try objects(dump["settings"]).map(setting)
            return target
        }

        private static func setting(_ dump: Object) throws -> BuildManifest.Setting {
            let name = dump["tool"] as? String ?? ""
            guard let tool = BuildManifest.Setting.Tool(rawValue: name + "Settings"),
                let kind = (dump["kind"] as? Object)?.first
            else { throw Unknown(value: "\(dump)") }
            let condition = dump["condition"] as? Object
            return .init(
                tool, kind.key, try arguments(of: kind.key, kind.value as? Object ?? [:], for: tool),
                platforms: try texts(condition?["platformNames"]).map(platform),
                configuration: condition?["config"] as? String, traits: Set(texts(condition?["traits"])))
        }

        /// The arguments of a setting as Swift code.
        private static func arguments(
            of name: String, _ values: Object, for tool: BuildManifest.Setting.Tool
        ) throws -> [String] {
            let value = values["_0"] as? String ?? ""
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
            case "unsafeFlags": return ["\(texts(values["_0"]))"]
            case "strictMemorySafety": return []
            case "interoperabilityMode": return ["." + value]
            case "swiftLanguageMode": return [BuildManifest.code(ofLanguageMode: value)]
            case "treatAllWarnings": return ["as: .\(value)"]
            case "treatWarning": return [value.debugDescription, "as: .\(values["_1"] as? String ?? "")"]
            case "defaultIsolation": return [value == "MainActor" ? "MainActor.self" : "nil"]
            default: throw Unknown(value: "the setting \(name)")
            }
        }
    }
}
