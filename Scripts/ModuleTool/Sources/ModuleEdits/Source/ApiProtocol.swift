import SwiftParser
import SwiftSyntax

/// The protocol of another module's Api, as far as a caller's source and its tests need to know it.
struct ApiProtocol {
    /// Something that the Api answers with a `String` at once.
    enum Question: Equatable {
        case function(String)
        case property(String)

        var call: String {
            switch self {
            case .function(let name): name + "()"
            case .property(let name): name
            }
        }
    }

    /// The module that the Api belongs to.
    let module: String
    /// What a new caller asks, if there is something that simple.
    let question: Question?
    /// The modules that the protocol's file imports.
    let imports: [String]

    private let requirements: [DeclSyntax]
    private let isClass: Bool

    var name: String { module + "ApiProtocol" }

    /// Finds the protocol in one of the Api's files; nil when it is not there.
    ///
    /// - Throws: ``EditError`` when it is there and a fake of it cannot be written.
    init?(module: String, path: String, source text: String) throws(EditError) {
        let source = Parser.parse(source: text)
        let node = source.statements.lazy.compactMap { $0.item.as(ProtocolDeclSyntax.self) }
            .first { $0.name.text == module + "ApiProtocol" }
        guard let node else { return nil }
        self.module = module
        imports = source.statements.compactMap { $0.item.as(ImportDeclSyntax.self)?.path.trimmedDescription }
        requirements = node.memberBlock.members.map(\.decl)
        let parents = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        isClass = parents.contains("AnyObject")
        question = requirements.lazy.compactMap(Self.question).first

        let line = SourceLocationConverter(fileName: "", tree: source)
            .location(for: node.positionAfterSkippingLeadingTrivia).line
        func refuse(_ reason: String) -> EditError {
            EditError(
                .usage, at: "\(path):\(line)",
                "no fake of \(module)ApiProtocol can be written for the tests: \(reason).",
                why: "A call without a test is not what --calls promises.",
                mend: "Leave out --calls \(module), and write the call and its test by hand.")
        }
        if let parent = parents.first(where: { !["AnyObject", "Sendable"].contains($0) }) {
            throw refuse("it inherits from \(parent)")
        }
        if let attribute = node.attributes.first(where: { !$0.trimmedDescription.hasPrefix("@available") }) {
            throw refuse("it is \(attribute.trimmedDescription)")
        }
        for requirement in requirements {
            if let function = requirement.as(FunctionDeclSyntax.self), function.attributes.isEmpty {
                continue
            }
            if let variable = requirement.as(VariableDeclSyntax.self), variable.attributes.isEmpty {
                continue
            }
            throw refuse("it requires '\(requirement.trimmedDescription.prefix { $0 != "\n" })'")
        }
    }

    private static func question(_ requirement: DeclSyntax) -> Question? {
        if let function = requirement.as(FunctionDeclSyntax.self),
            function.modifiers.isEmpty, function.genericParameterClause == nil,
            function.signature.parameterClause.parameters.isEmpty, function.signature.effectSpecifiers == nil,
            function.signature.returnClause?.type.trimmedDescription == "String"
        {
            return .function(function.name.text)
        }
        if let variable = requirement.as(VariableDeclSyntax.self), variable.modifiers.isEmpty,
            let binding = variable.bindings.first,
            binding.typeAnnotation?.type.trimmedDescription == "String",
            !(binding.accessorBlock?.trimmedDescription ?? "").contains("async"),
            !(binding.accessorBlock?.trimmedDescription ?? "").contains("throws")
        {
            return .property(binding.pattern.trimmedDescription)
        }
        return nil
    }

    /// A type of this name that answers the question with `fake ModuleA`, for a test of `caller`.
    func fake(named type: String, caller: String) -> String {
        let members = requirements.map { requirement in
            let isAsked = Self.question(requirement) == question && question != nil
            let asked = isAsked ? "\"fake \(module)\"" : nil
            let text = requirement.trimmed.description
            if let function = requirement.as(FunctionDeclSyntax.self) {
                let result = function.signature.returnClause?.type.trimmedDescription
                return Self.member(text, asked ?? Self.value(result, caller: caller))
            }
            return property(requirement, asked: asked, caller: caller)
        }
        return """
            private \(isClass ? "final class" : "struct") \(type): \(name) {
            \(members.map { "    " + $0 }.joined(separator: "\n"))
            }
            """
    }

    private func property(_ requirement: DeclSyntax, asked: String?, caller: String) -> String {
        guard let variable = requirement.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
            case .accessors(let accessors)? = binding.accessorBlock?.accessors
        else { return requirement.trimmedDescription }
        let type = binding.typeAnnotation?.type.trimmedDescription
        let value = asked ?? Self.value(type, caller: caller)
        let modifiers = variable.modifiers.map { $0.trimmedDescription + " " }.joined()
        let head = "\(modifiers)var \(binding.pattern.trimmedDescription): \(type ?? "Never")"
        if accessors.count == 1, accessors.first?.effectSpecifiers == nil { return Self.member(head, value) }
        let bodies = accessors.map { accessor in
            let isSetter = accessor.accessorSpecifier.text == "set"
            return "        \(accessor.trimmedDescription) {\(isSetter || value.isEmpty ? "" : " \(value) ")}"
        }
        return "\(head) {\n\(bodies.joined(separator: "\n"))\n    }"
    }

    private static func member(_ head: String, _ body: String) -> String {
        let last = head.split(separator: "\n").last.map(String.init) ?? head
        let isOneLine = last.count + body.count + 9 <= 110
        return body.isEmpty
            ? head + " {}" : isOneLine ? "\(head) { \(body) }" : "\(head) {\n        \(body)\n    }"
    }

    /// An expression of a type that means nothing.
    private static func value(_ type: String?, caller: String) -> String {
        switch type {
        case nil, "Void", "()": ""
        case "String": "\"\""
        case "Bool": "false"
        case "Int", "Double": "0"
        case let type? where type.hasSuffix("?"): "nil"
        case let type? where type.hasPrefix("[") && type.hasSuffix("]"): isDictionary(type) ? "[:]" : "[]"
        default: "fatalError(\"\(caller) does not ask for this.\")"
        }
    }

    private static func isDictionary(_ type: String) -> Bool {
        var depth = 0
        for character in type {
            if "[(<".contains(character) { depth += 1 }
            if "])>".contains(character) { depth -= 1 }
            if character == ":", depth == 1 { return true }
        }
        return false
    }
}
