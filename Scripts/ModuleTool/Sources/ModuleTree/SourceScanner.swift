import SwiftParser
import SwiftSyntax

/// Reads a Swift file's facts from its syntax tree, so that comments, texts and `#if` cannot mislead it.
enum SourceScanner {
    /// Complexity: O(*n*) in the file's length. Function bodies are only looked into when the file's bytes
    /// hold the name of a call that matters.
    static func facts(of bytes: [UInt8], isApi: Bool) -> SourceFacts {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let visitor = FactVisitor(lines: LineTable(bytes), looksIntoBodies: holdsCalls(bytes))
        visitor.walk(tree)
        var facts = visitor.facts
        if isApi {
            let purity = PurityVisitor(lines: LineTable(bytes))
            purity.walk(tree)
            facts.impurities = purity.impurities
        }
        return facts
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
