import Foundation
import ModuleKit
import SwiftSyntax

/// A Swift file's code, without comments, white space and line breaks.
///
/// Two files with equal code compile to the same program, apart from `#line` and similar values. The kinds of the
/// syntax nodes belong to the code, because a line break can separate two statements of the same words.
package struct SourceCode: Sendable, Equatable {
    private var kinds: [SyntaxKind] = []
    private var words: [String] = []

    /// Parses a file.
    package init(_ data: Data, in path: String) throws(Diagnostic) {
        self = try SourceParser.read(Array(data), in: path) { file in
            let visitor = CodeVisitor(viewMode: .sourceAccurate)
            visitor.walk(file)
            return visitor.code
        }
    }

    private init() {}

    /// Whether two versions of a file differ only in what no version stands for: comments and white space of Swift
    /// code, documentation in a DocC catalog, and an added or removed file without code. Any other file, such as a
    /// resource, is compared byte by byte.
    ///
    /// - Parameters:
    ///   - old: The old contents; nil if there was no such file.
    ///   - new: The new contents; nil if there is no such file.
    package static func isSame(_ old: Data?, _ new: Data?, in path: String) -> Bool {
        if old == new || path.contains(".docc/") { return true }
        guard path.hasSuffix(".swift") else { return false }
        // A file that cannot be parsed is compared byte by byte too.
        guard let old = try? SourceCode(old ?? Data(), in: path),
            let new = try? SourceCode(new ?? Data(), in: path)
        else { return false }
        return old == new
    }

    private final class CodeVisitor: SyntaxAnyVisitor {
        var code = SourceCode()

        override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
            code.kinds.append(node.kind)
            return .visitChildren
        }

        /// Marks the end of a node, so that equal lists of kinds mean equal trees.
        override func visitAnyPost(_ node: Syntax) { code.kinds.append(node.kind) }

        override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
            code.kinds.append(.token)
            code.words.append(token.text)
            return .skipChildren
        }
    }
}
