import SwiftSyntax

extension SurfaceReader {
    mutating func read(_ node: VariableDeclSyntax, _ scope: Scope) {
        let isExposed = scope.exposes(node.modifiers, node.attributes)
        var annotation: TypeAnnotationSyntax?
        for binding in node.bindings.reversed() {
            // In `let a, b: Int`, the type follows the last name.
            annotation = binding.typeAnnotation ?? annotation
            let type = text(annotation?.type)
            let name = binding.pattern.trimmedDescription.unquoted
            let isLet = node.bindingSpecifier.text == "let"
            let storage = Storage(binding.accessorBlock, isLet: isLet, node.modifiers)
            let isConstant = isLet || scope.isHidden
            let value = isConstant ? binding.initializer?.value : binding.accessorBlock?.literal
            let computed = value == nil ? binding.accessorBlock?.value : nil
            let source = binding.initializer?.value ?? value
            let inferred = type.isEmpty ? inferredType(of: source) : nil
            var variable = scope.declaration(.variable, name, shape: "var \(name): \(inferred ?? type)")
            variable.types = type
            variable.values = [
                Declaration.value: value.map { text($0) },
                Declaration.computedValue: computed.map { text($0) },
                Declaration.inferredType: isLet || !isExposed ? nil : inferred,
            ].compactMapValues(\.self)
            let isMember = scope.path != "" && scope.path != scope.extended
            // A constant with a value is not decoded.
            if isMember, binding.isStored, !node.isShared, !(isLet && binding.initializer != nil) {
                let wrappers = Attributes([node.attributes]).others.map { text($0) + " " }.sorted().joined()
                variable.storedType = wrappers + (inferred ?? type)
            }
            add(
                variable, node, scope, storage: storage,
                mentions: [annotation, annotation == nil ? source : nil, storage.getter?.effectSpecifiers])
        }
    }

    /// The type of a value, or the value itself if only the compiler knows its type.
    private func inferredType(of value: ExprSyntax?) -> String {
        guard let value else { return "?" }
        let called = value.as(FunctionCallExprSyntax.self)?.calledExpression
        let isType = called?.lastName.first?.isUppercase ?? false
        return value.literalType ?? (isType ? text(called) : "? = " + text(value))
    }

    mutating func read(_ node: EnumCaseDeclSyntax, _ scope: inout Scope) {
        for element in node.elements {
            let name = element.name.text.unquoted
            let parameters = Array(element.parameterClause?.parameters ?? [])
            let payload = parameters.map { parameter in
                (parameter.firstName.map { $0.text + ": " } ?? "") + text(parameter.type)
            }
            var own = scope
            own.isPublic = true
            var found = own.declaration(
                .enumCase, name, shape: "case \(name)(\(payload.joined(separator: ", ")))")
            found.parameters = parameters.map {
                .init(
                    label: $0.firstName?.text ?? "_", type: text($0.type), hasDefault: $0.defaultValue != nil)
            }
            found.values = defaults(parameters.map { ($0.firstName?.text ?? "_", $0.defaultValue) })
            found.grants = Set(found.values.keys)
            let written = element.rawValue.map { text($0.value) }
            found.values[Declaration.rawValue] = written
            let number = written.flatMap { Int($0) } ?? scope.nextRawValue
            scope.nextRawValue = number &+ 1
            found.implicit =
                written == nil ? .init(type: scope.rawType, name: name, number: number) : nil
            add(found, node, own, mentions: parameters.map(\.type))
        }
    }

    mutating func read(_ node: TypeAliasDeclSyntax, _ scope: Scope) {
        let shape = "typealias \(node.name.text)\(text(node.genericParameterClause))"
        var alias = scope.declaration(
            .alias, node.name.text.unquoted,
            shape: "\(shape) = \(text(node.initializer.value))\(spaced(node.genericWhereClause))")
        alias.bases = [text(node.initializer.value)]
        alias.names = renamedType(in: node).map { [$0] } ?? []
        add(
            alias, node, scope,
            mentions: [node.genericParameterClause, node.initializer.value, node.genericWhereClause])
    }

    /// The type `B` in `typealias A = B` and `typealias A<T> = B<T>`; nil for all other aliases.
    private func renamedType(in node: TypeAliasDeclSyntax) -> String? {
        let type = node.initializer.value
        let arguments =
            type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
        let (start, end) = (text(type), text(arguments))
        let isName = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
        guard isName, node.genericWhereClause == nil, end == text(node.genericParameterClause) else {
            return nil
        }
        return String(start.dropLast(end.count))
    }

    mutating func read(_ node: AssociatedTypeDeclSyntax, _ scope: Scope) {
        let shape = "associatedtype \(node.name.text)\(text(node.inheritanceClause))"
        var type = scope.declaration(
            .associatedType, node.name.text, shape: shape + spaced(node.genericWhereClause))
        type.values = node.initializer.map { [Declaration.defaultType: text($0.value)] } ?? [:]
        type.grants = Set(type.values.keys)
        add(type, node, scope, mentions: [node.inheritanceClause, node.genericWhereClause])
    }
}

extension PatternBindingSyntax {
    /// Whether the variable has storage: it has no accessors besides observers.
    fileprivate var isStored: Bool {
        guard let accessors = accessorBlock?.accessors else { return true }
        return accessors.as(AccessorDeclListSyntax.self)?.allSatisfy {
            ["willSet", "didSet"].contains($0.accessorSpecifier.text)
        } ?? false
    }
}

extension VariableDeclSyntax {
    /// Whether a type does not encode the variable, because the variable is static or lazy.
    fileprivate var isShared: Bool {
        modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
    }
}
