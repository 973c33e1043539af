import SwiftParser
import SwiftSyntax

/// Reads a manifest from its source when it is written in the house form: literals, or lists that are computed
/// from the manifest's own constants, structs and functions.
///
/// Anything else gives nil, and the manifest is then asked of SwiftPM. Nothing is guessed.
enum HouseManifest {
    static func read(_ bytes: [UInt8]) -> Manifest? {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        guard !tree.hasError, let program = ManifestProgram(tree.statements) else { return nil }
        return HouseReader(ManifestEvaluator(program, LineTable(bytes))).manifest()
    }
}
