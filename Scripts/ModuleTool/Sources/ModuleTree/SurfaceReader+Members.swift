import SwiftSyntax

extension SurfaceReader {
    mutating func add(
        _ start: String, _ name: String,
        _ node: some WithAttributesSyntax & WithModifiersSyntax & WithGenericParametersSyntax,
        _ parameters: FunctionParameterClauseSyntax, _ result: ReturnClauseSyntax?,
        effects: FunctionEffectSpecifiersSyntax? = nil, accessors: AccessorBlockSyntax? = nil, _ scope: Scope
    ) {
        var labels = ""
        var types: [String] = []
        let values = defaults(parameters.parameters.map(\.defaultValue))
        for parameter in parameters.parameters {
            let isLabelled = name != "subscript" || parameter.secondName != nil
            labels += (isLabelled ? parameter.firstName.text.unquoted : "_") + ":"
            types.append(
                text(parameter.attributes) + text(parameter.modifiers) + text(parameter.type)
                    + text(parameter.ellipsis))
        }
        let returned = result.map { text($0.type) }.flatMap { $0 == "()" ? nil : " -> " + $0 } ?? ""
        let signature = "(" + types.joined(separator: ", ") + ")"
        let storage = Storage(accessors, isLet: accessors == nil, node.modifiers)
        add(
            "\(name)(\(labels))", node, scope,
            shape: start + text(node.genericParameterClause) + signature + spaced(effects) + returned
                + spaced(node.genericWhereClause),
            types: signature + returned, storage: storage, grants: Set(values.keys), values: values)
    }

    /// The default arguments of parameters.
    private func defaults(_ values: [InitializerClauseSyntax?]) -> [String: String] {
        values.enumerated().reduce(into: [:]) { defaults, value in
            defaults["the default of parameter \(value.offset + 1)"] = value.element.map { text($0.value) }
        }
    }

    mutating func read(_ node: VariableDeclSyntax, _ scope: Scope) {
        var type = ""
        for binding in node.bindings.reversed() {
            // In `let a, b: Int`, the type follows the last name.
            type = binding.typeAnnotation.map { text($0.type) } ?? type
            let name = binding.pattern.trimmedDescription.unquoted
            let isLet = node.bindingSpecifier.text == "let"
            let storage = Storage(binding.accessorBlock, isLet: isLet, node.modifiers)
            let value = isLet ? binding.initializer?.value : binding.accessorBlock?.literal
            add(
                name, node, scope, shape: "var \(name): \(type.isEmpty ? value?.literalType ?? "?" : type)",
                types: type, storage: storage, values: value.map { ["its value": text($0)] } ?? [:])
        }
    }

    mutating func read(_ node: EnumCaseDeclSyntax, _ scope: inout Scope) {
        for element in node.elements {
            let name = element.name.text.unquoted
            let parameters = Array(element.parameterClause?.parameters ?? [])
            var values = defaults(parameters.map(\.defaultValue))
            let grants = Set(values.keys)
            let written = element.rawValue.map { text($0.value) }
            if scope.rawType == "String" {
                values["its raw value"] = written ?? "\"\(name)\""
            } else if scope.rawType.contains("Int") {
                scope.nextRawValue = written.flatMap { Int($0) } ?? scope.nextRawValue
                values["its raw value"] = written ?? "\(scope.nextRawValue)"
                scope.nextRawValue += 1
            } else {
                values["its raw value"] = written
            }
            let payload = parameters.map { parameter in
                (parameter.firstName.map { $0.text + ": " } ?? "") + text(parameter.type)
            }
            var own = scope
            (own.role, own.isPublic) = (.enumCase, true)
            add(
                name, node, own, shape: "case \(name)(\(payload.joined(separator: ", ")))", grants: grants,
                values: values)
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
            default: text += token.unquoted
            }
        }
        return text
    }
}
