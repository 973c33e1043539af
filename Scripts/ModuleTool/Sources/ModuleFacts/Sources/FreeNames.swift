import SwiftSyntax

/// Collects the names that code uses and does not declare: no arguments, local variables, members of other values, and
/// value types.
final class FreeNames: SyntaxVisitor {
    private var used: Set<String> = []
    private var declared: Set<String>

    /// The free names in code.
    ///
    /// - Parameter scope: The declaration around the code, with its arguments and generic parameters.
    static func of(_ code: some SyntaxProtocol, in scope: Syntax) -> Set<String> {
        let visitor = FreeNames(in: scope)
        visitor.walk(code)
        return visitor.used.subtracting(visitor.declared).subtracting(values)
    }

    private init(in scope: Syntax) {
        declared = Set(scope.genericParameters.map(\.name.text))
        super.init(viewMode: .sourceAccurate)
        for parameter in scope.functionParameters { declare(parameter.innerName) }
    }

    private func declare(_ name: TokenSyntax) { declared.insert(name.text.unquoted) }

    // MARK: Declared names

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        declare(node.identifier)
        return .skipChildren
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        declare(node.secondName ?? node.firstName)
        return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name)
        return .skipChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name)
        for parameter in node.functionParameters { declare(parameter.innerName) }
        return .visitChildren
    }

    override func visit(_ node: AccessorParametersSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name)
        return .skipChildren
    }

    // MARK: Used names

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text.unquoted
        let access = node.parent?.as(MemberAccessExprSyntax.self)
        let isMember =
            access?.declName == node || node.parent?.is(KeyPathPropertyComponentSyntax.self) == true
        // A random value is not the same for two callers.
        if (!isMember || name == "random") && !name.hasPrefix("$") { used.insert(name) }
        return .skipChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        used.insert(node.name.text.unquoted)
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        used.insert("#" + node.macroName.text)
        return .visitChildren
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    /// Swift's and Foundation's value types, what the compiler declares in types, and functions of values.
    private static let values = Set(
        """
        self Self super init newValue oldValue error true false nil rawValue hashValue allCases description
        #file #fileID #filePath #line #column #function
        Any AnyHashable AnyObject Array ArraySlice Bool Character ClosedRange Codable CodingKey Collection Comparable
        ContiguousArray Decodable Decoder DecodingError Dictionary Double Duration Encodable Encoder EncodingError Equatable
        Error Float Hashable Hasher Identifiable Int Int8 Int16 Int32 Int64 KeyPath KeyValuePairs Never Optional
        PartialRangeFrom PartialRangeThrough PartialRangeUpTo Range Result Sendable Sequence Set StaticString String Substring
        Swift UInt UInt8 UInt16 UInt32 UInt64 Unicode Void abs max min stride zip
        CharacterSet Data Date DateComponents DateInterval Decimal Foundation IndexPath IndexSet LocalizedError Locale
        Measurement Notification PersonNameComponents TimeInterval TimeZone URL URLComponents URLQueryItem UUID
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
