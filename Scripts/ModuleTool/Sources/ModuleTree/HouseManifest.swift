import SwiftParser
import SwiftSyntax

/// Reads a manifest from its source when it is written in the house form: imports, one
/// `let package = Package(...)` of literals, and the loop over the settings.
///
/// Anything else gives nil, and the manifest is then asked of SwiftPM. Nothing is guessed.
enum HouseManifest {
    static func read(_ bytes: [UInt8]) -> Manifest? {
        let tree = unsafe bytes.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        guard !tree.hasError else { return nil }
        var package: FunctionCallExprSyntax?
        for item in tree.statements {
            if item.item.is(ImportDeclSyntax.self) || isSettingsLoop(item) { continue }
            guard package == nil, let call = packageCall(item) else { return nil }
            package = call
        }
        guard let package else { return nil }
        return HouseReader(lines: LineTable(bytes)).manifest(package)
    }

    /// `let package = Package(...)`.
    private static func packageCall(_ item: CodeBlockItemSyntax) -> FunctionCallExprSyntax? {
        guard let variable = item.item.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            let binding = variable.bindings.first, binding.pattern.trimmedDescription == "package",
            let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
            call.calledExpression.trimmedDescription == "Package", call.trailingClosure == nil
        else { return nil }
        return call
    }

    /// A loop over the targets that sets their `swiftSettings` and nothing else.
    private static func isSettingsLoop(_ item: CodeBlockItemSyntax) -> Bool {
        guard let loop = item.item.as(ForStmtSyntax.self),
            loop.sequence.trimmedDescription == "package.targets", loop.whereClause == nil
        else { return false }
        return loop.body.statements.allSatisfy { statement in
            guard let sequence = statement.item.as(SequenceExprSyntax.self), sequence.elements.count >= 3
            else { return false }
            let elements = Array(sequence.elements)
            return elements[0].trimmedDescription == "target.swiftSettings"
                && (elements[1].is(AssignmentExprSyntax.self)
                    || elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+=")
        }
    }
}
