import SwiftParser
import SwiftSyntax

/// Reads a Swift file's facts from its syntax tree, so that comments, string literals and `#if` cannot
/// mislead it.
enum SourceScanner {
    /// The facts of a file. Parts that contain no facts are not parsed.
    ///
    /// - Complexity: O(*n*) in the file's length.
    static func facts(of bytes: [UInt8], scope: Scope) -> SourceFacts {
        guard let skeleton = SourceSkeleton(of: bytes, scope: scope) else {
            return facts(of: bytes, LineTable(bytes), scope)
        }
        return facts(of: skeleton.bytes, skeleton.lines, scope)
    }

    /// The facts of a file from its complete syntax tree.
    static func facts(ofWhole bytes: [UInt8], scope: Scope) -> SourceFacts {
        facts(of: bytes, LineTable(bytes), scope)
    }

    private static func facts(
        of bytes: [UInt8], _ lines: LineTable, _ scope: Scope
    ) -> SourceFacts {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let visitor = FactVisitor(lines: lines, looksIntoBodies: scope != .imports)
        visitor.walk(tree)
        var facts = visitor.facts
        switch scope {
        case .imports: (facts.calls, facts.declarations) = ([], [])
        case .names:
            facts.declarations.removeAll {
                $0.parent != nil && $0.name != "registerApi" && $0.keyword != "typealias"
            }
        case .all, .api: break
        }
        if scope == .api {
            let purity = PurityVisitor(lines: lines, tree)
            purity.walk(tree)
            facts.impurities = purity.impurities
            facts.declarations += purity.extensions
        }
        return facts
    }

    /// How much the rules need to know about a file. Each case includes the cases before it.
    enum Scope: String, Sendable, CaseIterable {
        /// Only imports. This is enough for tests and for packages outside the layers.
        case imports
        /// Top-level declarations, Api calls, and declarations of `registerApi`.
        case names
        /// Declarations at any depth.
        case all
        /// Also the declarations that an Api package must not contain.
        case api

        /// The larger of two scopes.
        func joined(_ other: Scope) -> Scope {
            Scope.allCases.last { $0 == self || $0 == other } ?? self
        }
    }
}
