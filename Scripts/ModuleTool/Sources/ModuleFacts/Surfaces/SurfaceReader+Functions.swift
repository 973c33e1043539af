import SwiftSyntax

extension SurfaceReader {
    /// Reads a function, which may have a hidden constant as its only expression.
    mutating func read(_ node: FunctionDeclSyntax, _ scope: Scope) {
        let name = node.name.text.unquoted
        var values: [String: String] = [:]
        if let value = node.body?.value, !scope.exposes(node.modifiers, node.attributes) {
            values[Declaration.value] = text(value) + spaced(node.signature.returnClause)
        }
        add(
            .function, "func " + name, name, node, node.signature.parameterClause,
            node.signature.returnClause, effects: node.signature.effectSpecifiers, values: values, scope)
    }

    mutating func read(_ node: MacroDeclSyntax, _ scope: Scope) {
        add(
            .macro, "macro " + node.name.text, "#" + node.name.text, node, node.signature.parameterClause,
            node.signature.returnClause, scope)
    }

    mutating func read(_ node: InitializerDeclSyntax, _ scope: Scope) {
        add(
            .initializer, "init" + text(node.optionalMark), "init", node, node.signature.parameterClause,
            nil, effects: node.signature.effectSpecifiers,
            demands: node.optionalMark?.text == "?" ? ["init?"] : [], scope)
    }

    mutating func read(_ node: SubscriptDeclSyntax, _ scope: Scope) {
        add(
            .subscript, "subscript", "subscript", node, node.parameterClause, node.returnClause,
            accessors: node.accessorBlock, scope)
    }

    private mutating func add(
        _ kind: Declaration.Kind, _ start: String, _ name: String,
        _ node: some WithAttributesSyntax & WithModifiersSyntax & WithGenericParametersSyntax,
        _ parameters: FunctionParameterClauseSyntax, _ result: ReturnClauseSyntax?,
        effects: FunctionEffectSpecifiersSyntax? = nil, accessors: AccessorBlockSyntax? = nil,
        demands: Set<String> = [], values: [String: String] = [:], _ scope: Scope
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
        let defaults = defaults(zip(all.map(\.label), parameters.parameters.map(\.defaultValue)))
        let returned = result.map { text($0.type) }.flatMap { $0 == "()" ? nil : " -> " + $0 } ?? ""
        let signature = "(" + all.map(\.type).joined(separator: ", ") + ")"
        let storage = Storage(accessors, isLet: accessors == nil, node.modifiers)
        let start = start + text(node.genericParameterClause)
        let end = spaced(effects) + returned + spaced(node.genericWhereClause)
        var declaration = scope.declaration(
            kind, "\(name)(\(all.map { $0.label + ":" }.joined()))", shape: start + signature + end)
        (declaration.types, declaration.frame) = (signature + returned, start + end)
        (declaration.parameters, declaration.grants) = (all, Set(defaults.keys))
        declaration.values = defaults.merging(values) { $1 }
        declaration.demands = demands.union(constraints(node.genericParameterClause, node.genericWhereClause))
        add(
            declaration, node, scope, effects: effects, storage: storage,
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
            return Self.implied(by: parts[1]).filter { $0 != "Sendable" }.map { "\(parts[0]): \($0)" }
        }
    }

    /// The default arguments of parameters.
    func defaults(_ values: some Sequence<(String, InitializerClauseSyntax?)>) -> [String: String] {
        values.enumerated().reduce(into: [:]) { defaults, item in
            let (label, value) = item.element
            let name = label == "_" ? "parameter \(item.offset + 1)" : label
            defaults["the default of \(name)"] = value.map { text($0.value) }
        }
    }
}
