import SwiftSyntax

/// One reason why a requirement cannot be called in another process.
struct RemoteProblem {
    let what: String
    let fix: String

    init(_ what: String, fix: String) { (self.what, self.fix) = (what, fix) }
}

/// Decides from the spelling of types whether their values can be sent to another process.
struct RemoteTypes: Sendable {
    /// The Api. An Api has no dependencies, so its protocol can use only types of the Api and the toolchain.
    let module: String
    let surface: ApiSurface

    /// The node's code on one line.
    func text(_ node: TypeSyntax) -> String {
        node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The element type of an `AsyncThrowingStream<Element, any Error>`.
    func element(_ type: TypeSyntax) -> TypeSyntax? {
        guard let (name, arguments, _) = named(type), name == "AsyncThrowingStream", arguments.count == 2,
            ["any Error", "Error"].contains(text(arguments[1]))
        else { return nil }
        return arguments[0]
    }

    /// - Parameter subject: The type's place in the requirement: `the parameter code`.
    func problems(of type: TypeSyntax, as subject: String) -> [RemoteProblem] {
        func no(_ what: String, _ fix: String) -> [RemoteProblem] {
            [RemoteProblem("cannot send \(subject), \(what)", fix: fix)]
        }
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let type): return problems(of: type.wrappedType, as: subject)
        case .arrayType(let type): return problems(of: type.element, as: subject)
        case .dictionaryType(let type): return problems(of: [type.key, type.value], as: subject)
        case .identifierType, .memberType: break
        case .functionType: return no("a closure", "take or return values, or return a stream")
        case .attributedType(let attributed) where attributed.baseType.is(FunctionTypeSyntax.self):
            return no("a closure", "take or return values, or return a stream")
        case .attributedType: return no("which is `\(text(type))`", "write only the type")
        case .tupleType: return no("a tuple", "declare a Codable struct in the Api")
        case .someOrAnyType:
            return no("whose type is not concrete: `\(text(type))`", "use a single Codable type")
        default: return no("`\(text(type))`", "use a Codable type")
        }
        guard let (name, arguments, owner) = named(type) else {
            return no("`\(text(type))`", "use a Codable type")
        }
        let isOwn = owner == module
        let isStandard = !isOwn && (Self.samples[name] != nil || Self.standard.contains(name))
        if isStandard, owner == nil, surface.has(name) {
            return no(
                "because \(module) and the toolchain both have a type named \(name)",
                "qualify it with its module: \(module).\(name)")
        }
        switch (isOwn ? "" : name, arguments.count) {
        case ("Optional", 1), ("Array", 1), ("Set", 1), ("Dictionary", 2):
            return problems(of: arguments, as: subject)
        case ("AsyncStream", _), ("AsyncThrowingStream", _):
            return no("`\(text(type))`", "return an AsyncThrowingStream<Value, any Error>")
        case (_, 1...): return no("the generic type \(name)", "declare a Codable struct in the Api")
        case _ where isStandard: return []
        default: break
        }
        guard owner == nil || isOwn, surface.declares(name) else {
            return no(
                "because \(name) is not a struct or enum of \(module), so the tool cannot check it",
                "use a struct of \(module) that declares Codable and Sendable")
        }
        let lacking = surface.lacking(["Encodable", "Decodable", "Sendable"], of: name)
        guard !lacking.isEmpty else { return [] }
        let names = Set(lacking.map { $0 == "Sendable" ? $0 : "Codable" }).sorted().joined(separator: " and ")
        return no("because \(name) does not declare \(names)", "add \(names) to \(name)")
    }

    private func problems(of types: [TypeSyntax], as subject: String) -> [RemoteProblem] {
        let keys = types.count == 2 ? text(types[0]) : "String"
        if !["String", "Int"].contains(keys) {
            return [
                RemoteProblem(
                    "cannot send \(subject), a dictionary with keys of the type \(keys)",
                    fix: "use String or Int for the keys, or use an array")
            ]
        }
        return types.flatMap { problems(of: $0, as: subject) }
    }

    func problems(ofError type: TypeSyntax) -> [RemoteProblem] {
        let problems = problems(of: type, as: "its error")
        guard let name = named(type)?.name, surface.declares(name),
            !surface.contains("case unreachable(String)", at: name + ".unreachable")
        else { return problems }
        return problems + [
            RemoteProblem(
                "throws \(name), which has no case for a network failure",
                fix: "add `case unreachable(String)` to \(name), or write `throws` without a type")
        ]
    }

    /// A type's unqualified name, its generic arguments, and its module if the source names the module.
    private func named(_ type: TypeSyntax) -> (name: String, arguments: [TypeSyntax], owner: String?)? {
        let clause: GenericArgumentClauseSyntax?
        switch type.as(TypeSyntaxEnum.self) {
        case .identifierType(let type): clause = type.genericArgumentClause
        case .memberType(let type): clause = type.genericArgumentClause
        default: return nil
        }
        var name = text(type).replacing("`", with: "")
        if clause != nil { name = String(name.prefix { $0 != "<" }) }
        let first = String(name.prefix { $0 != "." })
        let owner = first != name && ["Swift", "Foundation", module].contains(first) ? first : nil
        if owner != nil { name = String(name.dropFirst(first.count + 1)) }
        let arguments = (clause?.arguments ?? []).compactMap { argument -> TypeSyntax? in
            if case .type(let type) = argument.argument { type } else { nil }
        }
        return (name, arguments, owner)
    }

    // MARK: Standard types

    /// A sample value for a test; nil if only the Api can create one.
    func sample(of type: TypeSyntax) -> String? {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType: "nil"
        case .arrayType: "[]"
        case .dictionaryType: "[:]"
        default: named(type).flatMap { $0.owner == module ? nil : Self.samples[$0.name] }
        }
    }

    /// Standard types, each with a literal as its sample value.
    private static let samples = [
        "String": "\"\"", "Bool": "false", "Decimal": "0", "Double": "0", "Duration": ".zero", "Float": "0",
        "Int": "0", "Int8": "0", "Int16": "0", "Int32": "0", "Int64": "0", "TimeInterval": "0", "UInt": "0",
        "UInt8": "0", "UInt16": "0", "UInt32": "0", "UInt64": "0", "Optional": "nil", "Array": "[]",
        "Set": "[]",
        "Dictionary": "[:]", "Data": "Data()", "Date": "Date()", "UUID": "UUID()",
    ]
    /// Other standard types that are Codable and Sendable.
    private static let standard: Set = ["DateComponents", "DateInterval", "Locale", "TimeZone", "URL"]
}
