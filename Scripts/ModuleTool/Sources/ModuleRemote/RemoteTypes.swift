import ModuleFacts
import SwiftSyntax

/// Decides from the spelling of types whether their values can be sent to another process.
struct RemoteTypes: Sendable {
    /// The Api. Its protocol can use types of the Api, the toolchain and the libraries that Apis may import.
    let module: String
    let surface: ApiSurface
    /// These libraries, by module.
    var libraries: [String: ApiSurface] = [:]

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

    /// What to write instead of a type whose values cannot be sent, or may be unable to be; nil if they can be sent.
    func fix(for type: TypeSyntax) -> String? {
        let usable = "a struct or enum of \(module) that declares Codable and Sendable"
        let general =
            "Use \(usable); a standard type such as String, or one that another module has too with its module's name; "
            + "an array, a set, an optional, or a dictionary by String or Int of these; or return an "
            + "AsyncThrowingStream<Value, any Error>."
        if let parts = parts(of: type) {
            if parts.count == 2, !["String", "Int"].contains(text(parts[0])) { return general }
            return parts.lazy.compactMap { fix(for: $0) }.first
        }
        guard let (name, arguments, owner) = named(type), arguments.isEmpty else { return general }
        let isStandard = Self.samples[name] != nil || Self.standard.contains(name)
        if isStandard, isOfToolchain(owner) { return owner == nil && isOwn(name) ? general : nil }
        guard let surface = surface(of: name, in: owner) else { return general }
        let lacks = ["Encodable", "Decodable", "Sendable"].contains {
            surface["conformance of \(name) to \($0)"].isEmpty
        }
        return lacks ? "Add Codable and Sendable to \(name), or use \(usable)." : nil
    }

    func fix(forError type: TypeSyntax) -> String? {
        if let fix = fix(for: type) { return fix }
        guard let (name, _, owner) = named(type), let surface = surface(of: name, in: owner) else {
            return nil
        }
        let hasCase = surface[name + ".unreachable"].contains {
            $0.kind == .enumCase && $0.parameters.map(\.label) == ["_"] && $0.parameters[0].type == "String"
        }
        return hasCase
            ? nil
            : "Add `case unreachable(String)` for a network failure to \(name), or write `throws` without a type."
    }

    /// Whether a module that the Api may use declares a name, which may then not be the toolchain's.
    private func isOwn(_ name: String) -> Bool {
        ([surface] + libraries.values).contains { !$0[name].isEmpty }
    }

    private func isOfToolchain(_ owner: String?) -> Bool { owner != module && libraries[owner ?? ""] == nil }

    /// The module that declares a struct, enum or class; nil if none does, or if more than one of the libraries does.
    ///
    /// - Parameter owner: The name of the module, if the source names it.
    private func surface(of name: String, in owner: String?) -> ApiSurface? {
        if let owner {
            return (owner == module ? surface : libraries[owner]).flatMap { $0.declares(name) ? $0 : nil }
        }
        if surface.declares(name) { return surface }
        let found = libraries.values.filter { $0.declares(name) }
        return found.count == 1 ? found[0] : nil
    }

    /// The types inside an optional, an array, a set or a dictionary; nil for any other type.
    private func parts(of type: TypeSyntax) -> [TypeSyntax]? {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let type): return [type.wrappedType]
        case .arrayType(let type): return [type.element]
        case .dictionaryType(let type): return [type.key, type.value]
        default:
            guard let (name, arguments, owner) = named(type), isOfToolchain(owner),
                owner != nil || !isOwn(name)
            else { return nil }
            let count = ["Optional": 1, "Array": 1, "Set": 1, "Dictionary": 2][name]
            return count == arguments.count ? arguments : nil
        }
    }

    /// A type's unqualified name, its generic arguments, and its module if the source names the module.
    private func named(_ type: TypeSyntax) -> (name: String, arguments: [TypeSyntax], owner: String?)? {
        let clause: GenericArgumentClauseSyntax?
        switch type.as(TypeSyntaxEnum.self) {
        case .identifierType(let type): clause = type.genericArgumentClause
        case .memberType(let type): clause = type.genericArgumentClause
        default: return nil
        }
        let whole = text(type).replacing("`", with: "").prefix { $0 != "<" }
        let first = String(whole.prefix { $0 != "." })
        let owner =
            first != whole
                && ["Swift", "Foundation", module, libraries[first] == nil ? "" : first].contains(first)
            ? first : nil
        let arguments = (clause?.arguments ?? []).compactMap { argument -> TypeSyntax? in
            if case .type(let type) = argument.argument { type } else { nil }
        }
        return (String(owner == nil ? whole : whole.dropFirst(first.count + 1)), arguments, owner)
    }

    // MARK: Standard types

    /// A sample value for a test; nil if only the Api can create one.
    func sample(of type: TypeSyntax) -> String? {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType: "nil"
        case .arrayType: "[]"
        case .dictionaryType: "[:]"
        default: named(type).flatMap { isOfToolchain($0.owner) ? Self.samples[$0.name] : nil }
        }
    }

    /// Standard types, each with a literal as its sample value.
    private static let samples = [
        "String": "\"\"", "Bool": "false", "Decimal": "0", "Double": "0", "Duration": ".zero", "Float": "0",
        "Int": "0", "Int8": "0", "Int16": "0", "Int32": "0", "Int64": "0", "TimeInterval": "0", "UInt": "0",
        "UInt8": "0", "UInt16": "0", "UInt32": "0", "UInt64": "0", "Optional": "nil", "Array": "[]",
        "Set": "[]", "Dictionary": "[:]", "Data": "Data()", "Date": "Date()", "UUID": "UUID()",
    ]
    /// Other standard types that are Codable and Sendable.
    private static let standard: Set = ["DateComponents", "DateInterval", "Locale", "TimeZone", "URL"]
}
