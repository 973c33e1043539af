import Foundation
import ModuleBytes

/// The environment variables that a manifest reads.
package enum ManifestVariables {
    /// The variable with which `modules test` makes the root's manifest leave out test targets. It changes no test.
    package static let testTargets = "MODULES_TEST_TARGETS"

    /// A manifest without these words reads no variable.
    private static let words = SoughtTexts(["environment", "getenv", "ProcessInfo"])

    /// The names in `Context.environment["NAME"]`; nil if the manifest may read others, too.
    package static func names(in manifest: String) -> Set<String>? {
        guard words.first(in: Array(manifest.utf8)) != nil else { return [] }
        let names = manifest.matches(of: /Context\.environment\["([^"\\]+)"\]/).map { String($0.1) }
        return manifest.ranges(of: /[.`]environment\b|\benvironment(?:\[|\.\w)|getenv|ProcessInfo/).count
            > names.count
            ? nil : Set(names)
    }

    /// The variables that a manifest may read, as bytes for the key of a cache; empty for most manifests. If it is
    /// unknown which they are, leaves out those that differ between terminal sessions.
    package static func values(for source: [UInt8]) -> [UInt8] {
        guard words.first(in: source) != nil else { return [] }
        let names = names(in: String(decoding: source, as: UTF8.self))
        return Command.environment.filter {
            names?.contains($0.key) ?? !$0.key.hasPrefix("TERM")
        }
        .map { "\($0)=\($1)\0" }.sorted().flatMap(\.utf8)
    }
}
