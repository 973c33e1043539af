import SwiftParser
import SwiftSyntax

/// Reads a Swift file's facts from its syntax tree, so that comments, texts and `#if` cannot mislead it.
enum SourceScanner {
    /// Complexity: O(*n*) in the file's length. What holds no facts is not parsed.
    static func facts(of bytes: [UInt8], scope: Scope) -> SourceFacts {
        guard let skeleton = SourceSkeleton(of: bytes, scope: scope) else {
            return facts(of: bytes, LineTable(bytes), scope, bytes)
        }
        return facts(of: skeleton.bytes, skeleton.lines, scope, bytes)
    }

    /// The facts of a file by its whole syntax tree.
    static func facts(ofWhole bytes: [UInt8], scope: Scope) -> SourceFacts {
        facts(of: bytes, LineTable(bytes), scope, bytes)
    }

    private static func facts(
        of bytes: [UInt8], _ lines: LineTable, _ scope: Scope, _ file: [UInt8]
    ) -> SourceFacts {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let visitor = FactVisitor(lines: lines, looksIntoBodies: scope != .imports && holdsCalls(file))
        visitor.walk(tree)
        var facts = visitor.facts
        switch scope {
        case .imports: (facts.calls, facts.declarations) = ([], [])
        case .names: facts.declarations.removeAll { $0.parent != nil && $0.name != "registerApi" }
        case .all, .api: break
        }
        if scope == .api {
            let purity = PurityVisitor(lines: lines)
            purity.walk(tree)
            facts.impurities = purity.impurities
        }
        return facts
    }

    /// How much of a file the rules ask for; each asks for what those before it ask for, too.
    enum Scope: String, Sendable, CaseIterable {
        /// Only what it imports: the files of tests, and of packages outside the layers.
        case imports
        /// The types outside of all others, the calls, and whoever declares `registerApi`.
        case names
        case all
        /// What an Api package must not hold.
        case api

        /// The scope that asks for what both do.
        func joined(_ other: Scope) -> Scope {
            Scope.allCases.last { $0 == self || $0 == other } ?? self
        }
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
