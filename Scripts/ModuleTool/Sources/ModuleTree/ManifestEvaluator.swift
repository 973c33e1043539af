import SwiftSyntax

/// Evaluates the expressions of a manifest: literals, the manifest's own constants, structs and functions,
/// and `map`, `flatMap` and `filter` on lists. Any other expression gives ``ManifestValue/unknown``.
struct ManifestEvaluator {
    let program: ManifestProgram
    private let lines: LineTable
    private var constants: [String: ManifestValue] = [:]

    /// The local names of a body; empty at the top level.
    private struct Scope {
        var names: [String: ManifestValue] = [:]
        /// The value of `self` in a computed property.
        var this: (type: String, fields: [String: ManifestValue])?
        /// The nesting depth of bodies, which is limited in order to stop endless recursion.
        var depth = 0

        func body(_ names: [String: ManifestValue]) -> Scope {
            var scope = self
            scope.names.merge(names) { _, new in new }
            scope.depth += 1
            return scope
        }
    }

    init(_ program: ManifestProgram, _ lines: LineTable) {
        (self.program, self.lines) = (program, lines)
        for constant in program.constants { constants[constant.name] = value(of: constant.value) }
    }

    /// Evaluates an expression at the top level.
    func value(of expression: ExprSyntax) -> ManifestValue { value(expression, Scope()) }

    private func position(_ node: some SyntaxProtocol) -> Position {
        lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    private func value(_ expression: ExprSyntax, _ scope: Scope) -> ManifestValue {
        guard scope.depth < 32 else { return .unknown }
        if let literal = expression.as(StringLiteralExprSyntax.self) { return text(literal, scope) }
        if let array = expression.as(ArrayExprSyntax.self) {
            return .list(array.elements.map { value($0.expression, scope) })
        }
        if let call = expression.as(FunctionCallExprSyntax.self) { return self.call(call, scope) }
        if let name = expression.as(DeclReferenceExprSyntax.self) {
            return name.argumentNames == nil ? named(name.baseName.text, scope) : .unknown
        }
        if let member = expression.as(MemberAccessExprSyntax.self) {
            guard let base = member.base, member.declName.argumentNames == nil else { return .unknown }
            return property(member.declName.baseName.text, of: value(base, scope), scope)
        }
        if let sequence = expression.as(SequenceExprSyntax.self) {
            return folded(Array(sequence.elements)[...], scope)
        }
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let inner = tuple.elements.first
        {
            return value(inner.expression, scope)
        }
        if let literal = expression.as(BooleanLiteralExprSyntax.self) {
            return .bool(literal.literal.text == "true")
        }
        return expression.is(NilLiteralExprSyntax.self) ? .none : .unknown
    }

    private func text(_ literal: StringLiteralExprSyntax, _ scope: Scope) -> ManifestValue {
        if let text = literal.representedLiteralValue {
            return .text(.init(value: text, origin: position(literal), isLiteral: true))
        }
        guard literal.openingPounds == nil, literal.openingQuote.text == "\"" else { return .unknown }
        var text = ""
        var origin: Position?
        for segment in literal.segments {
            if let part = segment.as(StringSegmentSyntax.self) {
                guard !part.content.text.contains("\\") else { return .unknown }
                text += part.content.text
            } else {
                guard let inner = segment.as(ExpressionSegmentSyntax.self)?.expressions, inner.count == 1,
                    let inner = inner.first, inner.label == nil,
                    let value = value(inner.expression, scope).text
                else { return .unknown }
                text += value.value
                origin = value.origin
            }
        }
        return .text(.init(value: text, origin: origin, isLiteral: false))
    }

    // MARK: Names

    private func named(_ name: String, _ scope: Scope) -> ManifestValue {
        if let value = scope.names[name] { return value }
        if let this = scope.this {
            if name == "self" { return .record(type: this.type, fields: this.fields) }
            let own = property(name, of: .record(type: this.type, fields: this.fields), scope)
            if case .unknown = own {} else { return own }
        }
        return constants[name] ?? .unknown
    }

    private func property(_ name: String, of base: ManifestValue, _ scope: Scope) -> ManifestValue {
        switch base {
        case .record(let type, let fields):
            if let field = fields[name] { return field }
            guard let body = program.records[type]?.computed[name] else { return .unknown }
            var inner = Scope()
            (inner.this, inner.depth) = ((type, fields), scope.depth + 1)
            return result(body, inner)
        case .text(let text) where name == program.lastPathComponent:
            let last = text.value.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            return .text(.init(value: String(last), origin: text.origin, isLiteral: false))
        default: return .unknown
        }
    }

    /// Evaluates a body that consists of one expression.
    private func result(_ body: CodeBlockItemListSyntax, _ scope: Scope) -> ManifestValue {
        guard body.count == 1, let item = body.first?.item else { return .unknown }
        if let expression = item.as(ExprSyntax.self) { return value(expression, scope) }
        return item.as(ReturnStmtSyntax.self)?.expression.map { value($0, scope) } ?? .unknown
    }

    // MARK: Calls

    private func call(_ call: FunctionCallExprSyntax, _ scope: Scope) -> ManifestValue {
        guard call.additionalTrailingClosures.isEmpty else { return .unknown }
        if let member = call.calledExpression.as(MemberAccessExprSyntax.self) {
            if let base = member.base {
                return transformed(value(base, scope), member.declName.baseName.text, call, scope)
            }
            guard call.trailingClosure == nil else { return .unknown }
            return .call(
                .init(
                    name: member.declName.baseName.text, arguments: arguments(call, scope),
                    position: scope.depth == 0 ? position(call) : nil))
        }
        guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            call.trailingClosure == nil
        else { return .unknown }
        let arguments = arguments(call, scope)
        if name == "Set", arguments.count == 1, arguments[0].label == nil { return arguments[0].value }
        var inner = Scope()
        inner.depth = scope.depth + 1
        if let function = program.functions[name] {
            guard let names = bound(function, arguments) else { return .unknown }
            return result(function.body, inner.body(names))
        }
        guard let record = program.records[name] else { return .unknown }
        guard let initializer = record.initializer else {
            guard arguments.map(\.label) == record.stored else { return .unknown }
            return .record(
                type: name,
                fields: Dictionary(uniqueKeysWithValues: zip(record.stored, arguments.map(\.value))))
        }
        guard let names = bound(initializer, arguments),
            let fields = fields(initializer.body, inner.body(names)), Set(fields.keys) == Set(record.stored)
        else { return .unknown }
        return .record(type: name, fields: fields)
    }

    private func arguments(_ call: FunctionCallExprSyntax, _ scope: Scope) -> [ManifestValue.Argument] {
        call.arguments.map { .init(label: $0.label?.text, value: value($0.expression, scope)) }
    }

    /// The values of a function's parameters, by name; nil if the arguments do not match the parameters.
    private func bound(
        _ function: ManifestProgram.Function, _ arguments: [ManifestValue.Argument]
    ) -> [String: ManifestValue]? {
        var names: [String: ManifestValue] = [:]
        var rest = arguments[...]
        for parameter in function.parameters {
            if let first = rest.first, first.label == parameter.label {
                names[parameter.name] = first.value
                rest.removeFirst()
            } else if let initial = parameter.initial {
                names[parameter.name] = value(of: initial)
            } else {
                return nil
            }
        }
        return rest.isEmpty ? names : nil
    }

    /// The fields that an initialiser sets, with `self.a = a` or with tuples; nil if it does anything else.
    private func fields(_ body: CodeBlockItemListSyntax, _ scope: Scope) -> [String: ManifestValue]? {
        var fields: [String: ManifestValue] = [:]
        for item in body {
            guard let sequence = item.item.as(SequenceExprSyntax.self) else { return nil }
            let parts = Array(sequence.elements)
            guard parts.count == 3, parts[1].is(AssignmentExprSyntax.self) else { return nil }
            func list(_ part: ExprSyntax) -> [ExprSyntax] {
                part.as(TupleExprSyntax.self)?.elements.map(\.expression) ?? [part]
            }
            let (left, right) = (list(parts[0]), list(parts[2]))
            guard left.count == right.count else { return nil }
            for (target, source) in zip(left, right) {
                guard let member = target.as(MemberAccessExprSyntax.self),
                    member.base?.trimmedDescription == "self",
                    fields.updateValue(value(source, scope), forKey: member.declName.baseName.text) == nil
                else { return nil }
            }
        }
        return fields
    }

    // MARK: Lists

    /// Evaluates `list.map { ... }`, and likewise `flatMap` and `filter`.
    private func transformed(
        _ base: ManifestValue, _ name: String, _ call: FunctionCallExprSyntax, _ scope: Scope
    ) -> ManifestValue {
        guard let list = base.list, let values = applied(call, to: list, scope) else { return .unknown }
        switch name {
        case "map": return .list(values)
        case "flatMap":
            var all: [ManifestValue] = []
            for value in values {
                guard let part = value.list else { return .unknown }
                all += part
            }
            return .list(all)
        case "filter":
            var kept: [ManifestValue] = []
            for (element, value) in zip(list, values) {
                guard let holds = value.bool else { return .unknown }
                if holds { kept.append(element) }
            }
            return .list(kept)
        default: return .unknown
        }
    }

    /// Applies the closure or key path of a call to each element.
    private func applied(
        _ call: FunctionCallExprSyntax, to list: [ManifestValue], _ scope: Scope
    ) -> [ManifestValue]? {
        if let closure = call.trailingClosure {
            guard call.arguments.isEmpty else { return nil }
            let name: String
            switch closure.signature?.parameterClause {
            case nil where closure.signature == nil: name = "$0"
            case .simpleInput(let names)? where names.count == 1: name = names.first?.name.text ?? "$0"
            default: return nil
            }
            return list.map { result(closure.statements, scope.body([name: $0])) }
        }
        guard call.arguments.count == 1,
            let path = call.arguments.first?.expression.as(KeyPathExprSyntax.self),
            path.root == nil
        else { return nil }
        var values = list
        for component in path.components {
            guard case .property(let part) = component.component, part.declName.argumentNames == nil else {
                return nil
            }
            values = values.map { property(part.declName.baseName.text, of: $0, scope) }
        }
        return values
    }

    // MARK: Operators

    /// Evaluates an unfolded operator sequence by splitting it at the operator with the lowest precedence.
    private func folded(_ elements: ArraySlice<ExprSyntax>, _ scope: Scope) -> ManifestValue {
        if elements.count == 1, let only = elements.first { return value(only, scope) }
        func name(_ element: ExprSyntax) -> String? {
            element.as(BinaryOperatorExprSyntax.self)?.operator.text
        }
        if let mark = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) {
            guard let ternary = elements[mark].as(UnresolvedTernaryExprSyntax.self),
                let condition = folded(elements[..<mark], scope).bool
            else { return .unknown }
            return condition
                ? value(ternary.thenExpression, scope) : folded(elements[(mark + 1)...], scope)
        }
        for operators in [["==", "!="], ["..<", "..."], ["+"]] {
            // Splits at the last of these operators, because they are left-associative.
            guard let mark = elements.lastIndex(where: { name($0).map(operators.contains) ?? false }),
                let sign = name(elements[mark])
            else { continue }
            let (left, right) = (folded(elements[..<mark], scope), folded(elements[(mark + 1)...], scope))
            switch sign {
            case "==": return left.equals(right).map { .bool($0) } ?? .unknown
            case "!=": return left.equals(right).map { .bool(!$0) } ?? .unknown
            case "+": return sum(left, right)
            default:
                return .call(
                    .init(
                        name: sign,
                        arguments: [.init(label: nil, value: left), .init(label: nil, value: right)],
                        position: nil))
            }
        }
        return .unknown
    }

    private func sum(_ left: ManifestValue, _ right: ManifestValue) -> ManifestValue {
        switch (left, right) {
        case (.list(let a), .list(let b)): .list(a + b)
        case (.text(let a), .text(let b)):
            .text(.init(value: a.value + b.value, origin: a.origin ?? b.origin, isLiteral: false))
        default: .unknown
        }
    }
}
