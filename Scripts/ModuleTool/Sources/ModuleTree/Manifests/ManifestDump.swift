import Foundation
import ModuleKit

/// The output of `swift package dump-package`. The keys are SwiftPM's.
struct ManifestDump {
    typealias Object = [String: Any]

    let package: Object

    init(_ json: Data) throws { package = try JSONSerialization.jsonObject(with: json) as? Object ?? [:] }

    /// The traits that each trait enables, also `default`.
    var traits: [String: Set<String>] {
        package.objects("traits").reduce(into: [:]) { traits, trait in
            traits[trait.text("name") ?? ""] = Set(trait.texts("enabledTraits"))
        }
    }

    /// A package on which the manifest depends.
    struct Dependency {
        /// `fileSystem`, `sourceControl` or `registry`.
        let kind: String
        let identity: String
        let values: Object

        init(_ dump: Object) throws {
            guard let kind = dump.keys.first, let values = dump.objects(kind).first else {
                throw Missing(key: "dependency")
            }
            (self.kind, self.values, identity) = (kind, values, try values.required("identity"))
        }

        /// The address of a repository, which may be a folder; nil for other packages.
        var address: String? {
            let location = values.object("location")
            return location.objects("remote").first?.text("urlString") ?? location.texts("local").first
        }

        /// The versions of a remote package; nil if this tool does not know their meaning.
        var requirement: BuildManifest.Requirement? {
            let requirement = values.object("requirement")
            if let version = requirement.texts("exact").first { return .exact(version) }
            for kind in ["branch", "revision"] {
                if let value = requirement.texts(kind).first { return .reference(kind, value) }
            }
            guard let range = requirement.objects("range").first, let lower = range.text("lowerBound"),
                let upper = range.text("upperBound")
            else { return nil }
            return .range(lower, upper)
        }
    }

    /// Thrown if a value that every package has is missing or of another type.
    struct Missing: Error { let key: String }
}

extension [String: Any] {
    func required<Field>(_ key: String) throws -> Field {
        guard let value = self[key] as? Field else { throw ManifestDump.Missing(key: key) }
        return value
    }

    func text(_ key: String) -> String? { self[key] as? String }
    func texts(_ key: String) -> [String] { self[key] as? [String] ?? [] }
    func object(_ key: String) -> Self { self[key] as? Self ?? [:] }
    func objects(_ key: String) -> [Self] { self[key] as? [Self] ?? [] }
}
