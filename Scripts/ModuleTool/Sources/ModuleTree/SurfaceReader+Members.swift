import SwiftSyntax

extension SurfaceReader {
    mutating func add(
        _ kind: Declaration.Kind, _ start: String, _ name: String,
        _ node: some WithAttributesSyntax & WithModifiersSyntax & WithGenericParametersSyntax,
        _ parameters: FunctionParameterClauseSyntax, _ result: ReturnClauseSyntax?,
        effects: FunctionEffectSpecifiersSyntax? = nil, accessors: AccessorBlockSyntax? = nil,
        demands: Set<String> = [], _ scope: Scope
    ) {
        for (index, parameter) in (node.genericParameterClause?.parameters ?? []).enumerated() {
            generics[parameter.name.text] = "$\(index + 1)"
        }
        defer { generics = [:] }
        let isOperator = name.first.map { !$0.isLetter && $0 != "_" } ?? false
        let all = parameters.parameters.map { parameter in
            let isLabelled = !isOperator && (name != "subscript" || parameter.secondName != nil)
            return ApiSurface.Parameter(
                label: isLabelled ? parameter.firstName.text.unquoted : "_",
                type: text(parameter.attributes) + text(parameter.modifiers) + text(parameter.type)
                    + text(parameter.ellipsis), hasDefault: parameter.defaultValue != nil)
        }
        let values = defaults(zip(all.map(\.label), parameters.parameters.map(\.defaultValue)))
        let returned = result.map { text($0.type) }.flatMap { $0 == "()" ? nil : " -> " + $0 } ?? ""
        let signature = "(" + all.map(\.type).joined(separator: ", ") + ")"
        let storage = Storage(accessors, isLet: accessors == nil, node.modifiers)
        let start = start + text(node.genericParameterClause)
        let end = spaced(effects) + returned + spaced(node.genericWhereClause)
        add(
            kind, "\(name)(\(all.map { $0.label + ":" }.joined()))", node, scope,
            shape: start + signature + end,
            types: signature + returned, parameters: all, frame: start + end, effects: effects,
            storage: storage,
            demands: demands.union(constraints(node.genericParameterClause, node.genericWhereClause)),
            grants: Set(values.keys), values: values,
            mentions: [
                node.genericParameterClause, result, effects?.throwsClause, node.genericWhereClause,
                storage.getter?.effectSpecifiers,
            ] + parameters.parameters.map(\.attributes) + parameters.parameters.map(\.type))
    }

    /// What a function demands of its generic parameters, each protocol with those that it implies.
    private func constraints(
        _ clause: GenericParameterClauseSyntax?, _ condition: GenericWhereClauseSyntax?
    ) -> [String] {
        let inherited = (clause?.parameters ?? []).map { text($0.name) + ": " + text($0.inheritedType) }
        return (inherited + (condition?.requirements ?? []).map { text($0.requirement) }).flatMap { demand in
            let parts = demand.split(separator: ": ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return demand.hasSuffix(": ") ? [] : [demand] }
            // An argument that lacks `Sendable` is only a warning.
            return implied(by: parts[1]).filter { $0 != "Sendable" }.map { "\(parts[0]): \($0)" }
        }
    }

    /// The default arguments of parameters.
    private func defaults(_ values: some Sequence<(String, InitializerClauseSyntax?)>) -> [String: String] {
        values.enumerated().reduce(into: [:]) { defaults, item in
            let (label, value) = item.element
            let name = label == "_" ? "parameter \(item.offset + 1)" : label
            defaults["the default of \(name)"] = value.map { text($0.value) }
        }
    }

    mutating func read(_ node: VariableDeclSyntax, _ scope: Scope) {
        var annotation: TypeAnnotationSyntax?
        for binding in node.bindings.reversed() {
            // In `let a, b: Int`, the type follows the last name.
            annotation = binding.typeAnnotation ?? annotation
            let type = text(annotation?.type)
            let name = binding.pattern.trimmedDescription.unquoted
            let isLet = node.bindingSpecifier.text == "let"
            let storage = Storage(binding.accessorBlock, isLet: isLet, node.modifiers)
            let value = isLet ? binding.initializer?.value : binding.accessorBlock?.literal
            let computed = value == nil ? binding.accessorBlock?.value : nil
            let source = binding.initializer?.value ?? value
            let inferred = type.isEmpty ? inferredType(of: source) : nil
            let values = [
                Declaration.value: value.map { text($0) },
                Declaration.computedValue: computed.map { text($0) },
                Declaration.inferredType: isLet ? nil : inferred,
            ].compactMapValues(\.self)
            add(
                .variable, name, node, scope, shape: "var \(name): \(inferred ?? type)", types: type,
                storage: storage, values: values,
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
            var values = defaults(parameters.map { ($0.firstName?.text ?? "_", $0.defaultValue) })
            let grants = Set(values.keys)
            let written = element.rawValue.map { text($0.value) }
            values[Declaration.rawValue] = written
            let number = written.flatMap { Int($0) } ?? scope.nextRawValue
            scope.nextRawValue = number &+ 1
            let payload = parameters.map { parameter in
                (parameter.firstName.map { $0.text + ": " } ?? "") + text(parameter.type)
            }
            var own = scope
            own.isPublic = true
            add(
                .enumCase, name, node, own, shape: "case \(name)(\(payload.joined(separator: ", ")))",
                parameters: parameters.map {
                    .init(
                        label: $0.firstName?.text ?? "_", type: text($0.type),
                        hasDefault: $0.defaultValue != nil)
                }, grants: grants, values: values,
                implicit: written == nil ? .init(type: scope.rawType, name: name, number: number) : nil,
                mentions: parameters.map(\.type))
        }
    }
}

extension SurfaceReader {
    func spaced(_ node: (some SyntaxProtocol)?) -> String { node.map { " " + text($0) } ?? "" }

    /// The code in normal form: without comments, line breaks and `any`, and without this module's name before a
    /// type.
    func text(_ node: (some SyntaxProtocol)?) -> String {
        let tokens = node.map { Array($0.tokens(viewMode: .sourceAccurate)) } ?? []
        var text = ""
        var skipped = false
        for (node, next) in zip(tokens, tokens.dropFirst().map(\.text) + [""]) {
            let token = node.text
            if skipped {
                skipped = false
                continue
            }
            if case .stringSegment = node.tokenKind {
                text += token
                continue
            }
            skipped = (token == module || token == "Swift") && (next == "." || next == "::")
            // A trailing comma in a list has no meaning.
            if skipped || token == "any" || token == "," && [")", "]", ">"].contains(next) { continue }
            let isWord = token.first.map { $0.isLetter || $0.isNumber || "_@`".contains($0) } ?? false
            if isWord, let last = text.last, !"([<.@~\" ".contains(last) { text += " " }
            switch token {
            case "Void": text += "()"
            case ",", ":": text += token + " "
            case "->", "=", "==", "&": text += " \(token) "
            default:
                let isMember = text.last == "."
                text += isMember ? token.unquoted : generics[token] ?? token.unquoted
            }
        }
        return text
    }
}
