import SwiftSyntax

/// The declarations of a manifest in the house form: constants, structs, functions, and the package. The
/// initialiser fails if the manifest contains anything else, which could change the meaning of the rest.
struct ManifestProgram {
    struct Function {
        let parameters: [Parameter]
        let body: CodeBlockItemListSyntax
    }

    struct Parameter {
        let label: String?
        let name: String
        let initial: ExprSyntax?
    }

    struct Record {
        var initializer: Function?
        /// The stored properties in order, which are the parameters of the memberwise initialiser.
        var stored: [String] = []
        var computed: [String: CodeBlockItemListSyntax] = [:]
    }

    /// In source order, because a constant may use earlier ones.
    private(set) var constants: [(name: String, value: ExprSyntax)] = []
    private(set) var functions: [String: Function] = [:]
    private(set) var records: [String: Record] = [:]

    /// The name of the `String` property that returns the part after the last slash, if the manifest declares
    /// one.
    private(set) var lastPathComponent: String?

    /// The arguments of `Package(...)`.
    private(set) var package: LabeledExprListSyntax?

    init?(_ statements: CodeBlockItemListSyntax) {
        for statement in statements {
            guard add(statement.item) else { return nil }
        }
        // A declaration that shadows a built-in name would change the meaning of that name.
        let names = constants.map(\.name) + Array(functions.keys) + Array(records.keys)
        guard package != nil, Set(names).count == names.count,
            Set(names).isDisjoint(with: ["Package", "Set", "Array", "String", "package"])
        else { return nil }
    }

    private mutating func add(_ item: CodeBlockItemSyntax.Item) -> Bool {
        if item.is(ImportDeclSyntax.self) { return true }
        if let loop = item.as(ForStmtSyntax.self) { return Self.isSettingsLoop(loop) }
        if let variable = item.as(VariableDeclSyntax.self) { return add(variable) }
        if let function = item.as(FunctionDeclSyntax.self) {
            guard case .identifier = function.name.tokenKind, function.genericParameterClause == nil,
                let read = Self.function(function.signature.parameterClause, function.body)
            else { return false }
            return functions.updateValue(read, forKey: function.name.text) == nil
        }
        if let record = item.as(StructDeclSyntax.self) {
            guard record.genericParameterClause == nil, let read = Self.record(record.memberBlock) else {
                return false
            }
            return records.updateValue(read, forKey: record.name.text) == nil
        }
        if let addition = item.as(ExtensionDeclSyntax.self) { return add(addition) }
        return false
    }

    private mutating func add(_ variable: VariableDeclSyntax) -> Bool {
        guard variable.bindingSpecifier.text == "let", variable.attributes.isEmpty,
            variable.bindings.count == 1, let binding = variable.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            let value = binding.initializer?.value
        else { return false }
        guard name == "package" else {
            constants.append((name, value))
            return true
        }
        guard package == nil, let call = value.as(FunctionCallExprSyntax.self),
            call.calledExpression.trimmedDescription == "Package", call.trailingClosure == nil
        else { return false }
        package = call.arguments
        return true
    }

    /// Accepts exactly one extension: the last-path-component helper of the house manifest.
    private mutating func add(_ addition: ExtensionDeclSyntax) -> Bool {
        guard addition.extendedType.trimmedDescription == "String", addition.memberBlock.members.count == 1,
            let property = addition.memberBlock.members.first?.decl.as(VariableDeclSyntax.self),
            let (name, body) = Self.computed(property), lastPathComponent == nil,
            body.trimmedDescription
                == #"String(self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...])"#
        else { return false }
        lastPathComponent = name
        return true
    }

    /// Whether a loop over the targets sets their `swiftSettings` and does nothing else.
    private static func isSettingsLoop(_ loop: ForStmtSyntax) -> Bool {
        guard loop.sequence.trimmedDescription == "package.targets", loop.whereClause == nil else {
            return false
        }
        return loop.body.statements.allSatisfy { statement in
            guard let sequence = statement.item.as(SequenceExprSyntax.self), sequence.elements.count >= 3
            else { return false }
            let elements = Array(sequence.elements)
            return elements[0].trimmedDescription == "target.swiftSettings"
                && (elements[1].is(AssignmentExprSyntax.self)
                    || elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+=")
        }
    }

    private static func function(
        _ clause: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax?
    ) -> Function? {
        guard let body else { return nil }
        return Function(
            parameters: clause.parameters.map { parameter in
                let label = parameter.firstName.text
                return Parameter(
                    label: label == "_" ? nil : label, name: parameter.secondName?.text ?? label,
                    initial: parameter.defaultValue?.value)
            }, body: body.statements)
    }

    private static func record(_ block: MemberBlockSyntax) -> Record? {
        var record = Record()
        for member in block.members {
            if let initializer = member.decl.as(InitializerDeclSyntax.self) {
                guard record.initializer == nil, initializer.optionalMark == nil,
                    let function = function(initializer.signature.parameterClause, initializer.body)
                else { return nil }
                record.initializer = function
            } else if let variable = member.decl.as(VariableDeclSyntax.self), variable.modifiers.isEmpty {
                if let (name, body) = computed(variable) {
                    record.computed[name] = body
                } else {
                    guard variable.bindings.count == 1, let binding = variable.bindings.first,
                        binding.accessorBlock == nil, binding.initializer == nil,
                        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
                    else { return nil }
                    record.stored.append(name)
                }
            } else {
                return nil
            }
        }
        return record
    }

    /// The name and the body of a computed property such as `var name: Type { value }`.
    private static func computed(
        _ variable: VariableDeclSyntax
    ) -> (name: String, body: CodeBlockItemListSyntax)? {
        guard variable.bindings.count == 1, let binding = variable.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            case .getter(let body) = binding.accessorBlock?.accessors
        else { return nil }
        return (name, body)
    }
}
