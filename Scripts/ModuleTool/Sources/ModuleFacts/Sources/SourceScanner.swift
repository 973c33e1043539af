import ModuleBytes
import ModuleKit
import SwiftSyntax

/// Reads a Swift file's facts from its syntax tree, so that comments, string literals and `#if` cannot
/// mislead it.
package enum SourceScanner {
    /// The facts of a file.
    ///
    /// - Parameters:
    ///   - module: The module to which the file belongs.
    ///   - moduleSuffix: The suffix of module type names.
    /// - Complexity: O(*n*) in the file's length.
    package static func facts(
        of bytes: [UInt8], in path: String, scope: Scope, module: String = "", moduleSuffix: String = "Module"
    ) throws(Diagnostic) -> SourceFacts {
        let code =
            switch scope {
            case .imports: throughLastImport(bytes)
            case .code: outline(of: bytes, moduleSuffix: moduleSuffix)
            case .api: bytes
            }
        let lines = LineTable(bytes)
        let allowances = try Allowance.all(in: bytes, of: path)
        return try SourceParser.read(code, in: path) { tree in
            let visitor = FactVisitor(lines: lines, moduleSuffix: moduleSuffix)
            visitor.walk(tree)
            var facts = visitor.facts
            if scope == .imports {
                (facts.calls, facts.declarations, facts.routes, facts.bodies) = ([], [], [], [])
            }
            facts.allowances = allowances
            facts.isEmpty = code.count == bytes.count && tree.statements.isEmpty
            if scope == .api {
                let content = ApiContentVisitor(lines: lines)
                content.walk(tree)
                facts.forbidden = content.forbidden
                facts.declarations += content.extensions
                var reader = SurfaceReader(module: module)
                reader.read(tree, in: path, lines)
                facts.index = reader.found
            }
            return facts
        }
    }

    /// The file without blocks that contain no fact, if it contains no call to a registry and no module type.
    static func outline(of bytes: [UInt8], moduleSuffix: String = "Module") -> [UInt8] {
        CodeOutline.of(bytes, calls: calls, suffix: Array(moduleSuffix.utf8)[...])
    }

    private static let calls = Set(
        ["api", "requireApi", "registerApi", "register", "replaceApi", "removeApi", "ApiCenter"].map {
            Array($0.utf8)[...]
        })

    /// The file up to the end of the line that follows the last `import`. In two thirds of this repository's
    /// code, the rules need only the imports, so the rest is not parsed. A short file without imports is parsed whole,
    /// because it may be empty.
    private static func throughLastImport(_ bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.place(of: "import", isLast: true),
            let code = bytes[(last + 6)...].firstIndex(where: { $0 > 0x20 })
        else { return bytes.count < 2000 ? bytes : [] }
        let lines = bytes[code...].split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        // A comment between the word and the module may have any number of lines.
        if bytes[code] == UInt8(ascii: "/") || (lines.first?.firstRange(of: "/*".utf8)) != nil {
            return bytes
        }
        return Array(bytes[..<(lines.dropFirst().first?.endIndex ?? bytes.endIndex)])
    }

    /// How much the rules need to know about a file. Each case includes the cases before it.
    package enum Scope: String, Sendable, CaseIterable {
        /// Only imports. This is enough for tests and for packages outside the layers.
        case imports
        /// Also declarations and calls.
        case code
        /// Also the declarations that an Api package must not contain.
        case api

        /// The larger of two scopes.
        package func joined(_ other: Scope) -> Scope {
            Scope.allCases.last { $0 == self || $0 == other } ?? self
        }
    }
}
