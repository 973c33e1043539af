import SwiftParser
import SwiftSyntax

/// Reads manifests in the house form: literals, and lists that are computed from the manifest's own
/// constants, structs and functions.
///
/// Returns nil for any other manifest, which ``DumpedManifest`` reads through SwiftPM.
enum HouseManifest {
    static func read(_ bytes: [UInt8]) -> Manifest? {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        guard !tree.hasError, let program = ManifestProgram(tree.statements) else { return nil }
        return HouseReader(ManifestEvaluator(program, LineTable(bytes))).manifest()
    }
}
