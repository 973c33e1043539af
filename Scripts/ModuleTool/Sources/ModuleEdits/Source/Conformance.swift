import SwiftSyntax

/// Generates a minimal type that conforms to an Api's protocol: a fake for tests, or the first version of an
/// alternative IMP.
struct Conformance {
    let api: ApiProtocol
    /// The name of the type.
    let type: String
    /// The keywords before the name: `private struct`, `final class`.
    let kind: String
    /// The value that the requirement ``ApiProtocol/question`` returns.
    let answer: String
    /// The message of the `fatalError` in members whose type has no placeholder value.
    let refusal: String

    /// A fake whose question returns `fake Ride`, for the tests of `caller`.
    static func fake(of api: ApiProtocol, named type: String, caller: String) -> Conformance {
        Conformance(
            api: api, type: type, kind: api.isClass ? "private final class" : "private struct",
            answer: "fake \(api.module)", refusal: "\(caller) does not call this.")
    }

    /// The type's declaration.
    var text: String {
        "\(kind) \(type): \(api.name) {\n" + members().map { "    \($0)\n" }.joined() + "}"
    }

    /// The members that implement the requirements for which `isWanted` returns true.
    func members(where isWanted: (DeclSyntax) -> Bool = { _ in true }) -> [String] {
        api.requirements.filter(isWanted).map { requirement in
            let isAsked = api.question != nil && ApiProtocol.question(requirement) == api.question
            let asked = isAsked ? "\"\(answer)\"" : nil
            guard var function = requirement.as(FunctionDeclSyntax.self) else {
                return property(requirement, asked: asked)
            }
            if kind.hasSuffix("class") {
                function.modifiers = function.modifiers.filter { $0.name.text != "mutating" }
            }
            let result = function.signature.returnClause?.type.trimmedDescription
            return Self.member(function.trimmedDescription, asked ?? value(result))
        }
    }

    /// Whether a member calls `fatalError`.
    var isIncomplete: Bool { text.contains("fatalError(") }

    private func property(_ requirement: DeclSyntax, asked: String?) -> String {
        guard let variable = requirement.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
            case .accessors(let accessors)? = binding.accessorBlock?.accessors
        else { return requirement.trimmedDescription }
        let type = binding.typeAnnotation?.type.trimmedDescription
        let value = asked ?? value(type)
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

    /// A placeholder value of a type: empty, zero, false or nil; otherwise a `fatalError`.
    private func value(_ type: String?) -> String {
        switch type {
        case nil, "Void", "()": ""
        case "String": "\"\""
        case "Bool": "false"
        case "Int", "Double": "0"
        case let type? where type.hasSuffix("?"): "nil"
        case let type? where type.hasPrefix("[") && type.hasSuffix("]"):
            Self.isDictionary(type) ? "[:]" : "[]"
        default: "fatalError(\"\(refusal)\")"
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
