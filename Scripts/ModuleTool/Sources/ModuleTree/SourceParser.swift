import SwiftParser
import SwiftSyntax

/// Parses Swift files.
enum SourceParser {
    /// The number of nested brackets that the Swift compiler accepts. swift-syntax would overflow the stack.
    private static let deepest = 256

    /// The syntax tree of a file; nil if its brackets are nested too deeply.
    ///
    /// - Complexity: O(*n*) in the file's length.
    static func parse(_ bytes: [UInt8]) -> SourceFileSyntax? {
        var depth = 0
        // Brackets in comments and texts count too, because they are hardly ever unbalanced.
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > deepest { return nil }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
        }
        return unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
    }

    /// The error for a file that ``parse(_:)`` refuses.
    static func tooDeep(_ path: String) -> TreeError {
        TreeError(
            .configuration, path, what: "has more than \(deepest) nested brackets",
            why: "the Swift compiler refuses such a file", fix: "close the brackets")
    }
}
