import SwiftParser
import SwiftSyntax

/// Reads a Swift file's facts from its syntax tree, so that comments, texts and `#if` cannot mislead it.
enum SourceScanner {
    /// Complexity: O(*n*) in the file's length. Function bodies are only looked into when the file's bytes
    /// hold the name of a call that matters.
    static func facts(of bytes: [UInt8], scope: Scope) -> SourceFacts {
        let bytes = scope == .imports ? importsPart(of: bytes) : bytes
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let visitor = FactVisitor(
            lines: LineTable(bytes), looksIntoBodies: scope != .imports && holdsCalls(bytes))
        visitor.walk(tree)
        var facts = visitor.facts
        if scope == .imports { facts.calls = []; facts.declarations = [] }
        if scope == .api {
            let purity = PurityVisitor(lines: LineTable(bytes))
            purity.walk(tree)
            facts.impurities = purity.impurities
        }
        return facts
    }

    /// How much of a file the rules ask for.
    enum Scope: String, Sendable {
        /// Only what it imports: the files of tests, and of packages outside the layers.
        case imports
        case all
        /// What an Api package must not hold, too.
        case api
    }

    /// The file up to some way behind the last place where the word stands: what follows cannot import
    /// anything, and most of a file is not parsed. A text or comment that is cut off still runs to the end.
    private static func importsPart(of bytes: [UInt8]) -> [UInt8] {
        let word = Array("import".utf8)
        var last: Int?
        var index = bytes.count - word.count
        while index >= 0, last == nil {
            if bytes[index] == word[0], bytes[index..<index + word.count].elementsEqual(word) { last = index }
            index -= 1
        }
        guard let last else { return [] }
        // The module's name may stand behind a comment or on a later line.
        var end = min(bytes.count, last + 1024)
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        return Array(bytes[..<end])
    }

    /// Whether `Api(`, `api(` or `Module(` stands anywhere in the file.
    private static func holdsCalls(_ bytes: [UInt8]) -> Bool {
        let api = Array("pi".utf8)
        let module = Array("Module".utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x28 {  // (
                // `api (type:` is legal too.
                var end = index
                while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
                if bytes[..<end].ends(with: api) || bytes[..<end].ends(with: module) { return true }
            }
            index += 1
        }
        return false
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        guard count >= suffix.count else { return false }
        return self[(endIndex - suffix.count)...].elementsEqual(suffix)
    }
}
