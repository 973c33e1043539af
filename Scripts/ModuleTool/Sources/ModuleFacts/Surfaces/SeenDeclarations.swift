import ModuleBytes
import ModuleKit

/// The declarations of a module as callers see them, who cannot name the hidden ones.
struct SeenDeclarations {
    typealias Declaration = ApiSurface.Declaration

    private let all: [Declaration]
    /// The types that callers can name, by path.
    private let types: [String: Declaration]
    /// The other types and type aliases, by path.
    private let hidden: [String: Declaration]
    /// The types that type aliases stand for.
    private let aliases: [String: String]

    init(of declarations: [Declaration]) {
        all = declarations
        let named = declarations.filter { $0.kind == .alias || $0.isType }.map { ($0.path, $0) }
        let types = Dictionary(named.filter { $1.isVisible && $1.isType }) { $1 }
        self.types = types
        // Another file may have a private type with the same name.
        hidden = Dictionary(named.filter { !$1.isVisible && types[$0] == nil }) { $1 }
        aliases = Dictionary(
            [("TimeInterval", "Double")]
                + declarations.filter { $0.kind == .alias }.map { ($0.path, $0.bases.joined()) }
        ) { $1 }
    }

    /// The declarations by path, as in ``ApiSurface``.
    var byPath: [String: [Declaration]] {
        var declarations: [String: [Declaration]] = [:]
        let (constants, encoded) = (constantValues, EncodedForms(of: all, conforming: codable))
        let protocols = Set(all.filter { $0.isVisible && $0.kind == .protocol }.map(\.path))
        for declaration in all.filter(\.isVisible).flatMap(seen) {
            let extended = declaration.extended ?? ""
            if hidden.keys.contains(where: { extended == $0 || extended.hasPrefix($0 + ".") }) { continue }
            // Members of protocol extensions are not requirements. Members of other extensions count as members of
            // the type itself.
            let key = protocols.contains(extended) ? "extension " + declaration.path : declaration.path
            var copy = expanded(declaration, constants)
            if declaration.isType { copy.encoded = encoded.form(of: declaration.path) }
            declarations[key, default: []].append(copy)
        }
        return declarations
    }

    // MARK: Hidden types

    /// A declaration as callers see it: what an extension of a hidden alias declares belongs to the type itself, and a
    /// conformance to a hidden protocol is one to the protocols that this one inherits.
    private func seen(_ declaration: Declaration) -> [Declaration] {
        var copy = declaration
        let isConformance = declaration.kind == .conformance
        let (extended, name) = (declaration.extended ?? "", declaration.names.first ?? "")
        let type = hidden[extended] == nil ? extended : aliases[extended] ?? extended
        if type != extended {
            copy.extended = type
            copy.parent = declaration.parent.map { type + $0.dropFirst(extended.count) }
            if !isConformance { copy.path = type + declaration.path.dropFirst(extended.count) }
        }
        guard isConformance, type != extended || hidden[name] != nil else { return [copy] }
        let end = declaration.path.dropFirst("conformance of \(extended) to \(name)".count)
        return visible(name).map { name in
            copy.path = "conformance of \(type) to \(name)\(end)"
            (copy.shape, copy.names) = (copy.path, [name])
            return copy
        }
    }

    /// What callers see of an inherited name: the protocols that a hidden protocol inherits, and the type that a hidden
    /// alias stands for, each with the protocols that it implies.
    private func visible(_ name: String) -> [String] {
        reachable(from: [name]) { name in
            hidden[name].map { type in
                type.kind == .protocol ? type.bases : SurfaceReader.implied(by: aliases[name] ?? "")
            } ?? []
        }.filter { hidden[$0] == nil }
    }

    private func inheritedIsolation(of path: String) -> String? {
        func type(_ name: String) -> Declaration? {
            types[name] ?? hidden[name].flatMap { $0.kind == .protocol ? $0 : nil }
        }
        return reachable(from: [path]) { name in
            name == path || type(name)?.isolation == nil ? type(name)?.bases ?? [] : []
        }.dropFirst().lazy.compactMap { type($0)?.isolation }.first { !$0.isEmpty }
    }

    /// The types that conform to Encodable or Decodable.
    private var codable: Set<String> {
        let conformances = all.filter { $0.kind == .conformance }
        return Set(
            conformances.filter { conformance in
                reachable(from: conformance.names) { name in
                    types[name]?.bases ?? aliases[name].map(SurfaceReader.implied) ?? visible(name)
                }.contains { ["Encodable", "Decodable"].contains($0) }
            }.compactMap(\.extended))
    }

    // MARK: Values

    /// The declaration with the values of hidden constants in place of their names, and with the global actor that a type
    /// gets from what it inherits.
    ///
    /// - Parameter constants: The values of the constants.
    private func expanded(_ declaration: Declaration, _ constants: [String: String]) -> Declaration {
        var copy = declaration
        if types[declaration.path]?.isolation == nil, let actor = inheritedIsolation(of: declaration.path) {
            copy.shape += " isolated by " + actor
        }
        copy.values = declaration.values.mapValues { Self.replacingNames(in: $0) { constants[$0] } }
        if let implicit = copy.implicit {
            copy.values[Declaration.rawValue] = value(of: implicit, in: declaration.parent ?? "")
            copy.implicit = nil
        }
        let computed = copy.values.removeValue(forKey: Declaration.computedValue)
        // A getter whose only expression is made of constants is a constant.
        if let computed, !computed.contains("("),
            !Self.parts(of: computed).contains(where: { $0.isCode && $0.text.contains(/\b[a-z_]\w*/) })
        {
            copy.values[Declaration.value] = computed
        }
        return copy
    }

    /// The raw value of an enum's case that states none; nil if the enum has no raw values.
    private func value(of implicit: ApiSurface.ImplicitRawValue, in path: String) -> String? {
        var type = implicit.type
        var seen: Set<String> = []
        while seen.insert(type).inserted {
            // An alias in an enclosing type hides one outside.
            type = path.paths(of: type).lazy.compactMap { aliases[$0] }.first ?? type
        }
        if type == "String" { return "\"\(implicit.name)\"" }
        return Self.numbers.contains(type) ? "\(implicit.number)" : nil
    }

    private static let numbers = Set(
        ["", "8", "16", "32", "64", "128"].flatMap { ["Int" + $0, "UInt" + $0] }
    ).union(["CInt", "Double", "Float"])

    /// The values of the constants that callers cannot name, by name, each with the values of others in place of their
    /// names: also of functions and getters of one expression, and the raw values of hidden enums. A public constant, or
    /// a default argument, may be made of them.
    private var constantValues: [String: String] {
        var constants: [String: [String]] = [:]
        for declaration in all where !declaration.isVisible {
            let values = declaration.values
            let value =
                values[Declaration.value] ?? values[Declaration.computedValue] ?? values[Declaration.rawValue]
                ?? declaration.implicit.flatMap { self.value(of: $0, in: declaration.parent ?? "") }
            if let value { constants[declaration.name, default: []].append(value) }
        }
        var known: [String: String] = [:]
        func value(of name: String, depth: Int) -> String? {
            if let value = known[name] { return value }
            guard let written = constants[name], depth < 64 else { return nil }
            // A constant cannot be made of itself.
            known[name] = name
            let text = written.map { text in
                Self.replacingNames(in: text) { value(of: $0, depth: depth + 1) }
            }.joined(separator: " ")
            known[name] = text.utf8.count < 1000 ? text : ContentDigest(Array(text.utf8)).text
            return known[name]
        }
        for name in constants.keys.sorted() { _ = value(of: name, depth: 0) }
        return known
    }

    private static func replacingNames(in code: String, with value: (String) -> String?) -> String {
        parts(of: code).map { part in
            // A word in a string literal is a name only in an interpolation.
            guard part.isCode || part.text.contains("\\(") else { return part.text }
            return part.text.replacing(/\w+/) { word in value(String(word.output)) ?? String(word.output) }
        }.joined(separator: "\"")
    }

    private static func parts(of value: String) -> [(text: String, isCode: Bool)] {
        value.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map {
            (String($1), $0.isMultiple(of: 2))
        }
    }
}

extension ApiSurface.Declaration {
    /// The path without the types around the declaration, and without labels.
    var name: String {
        parent.map { String(path.dropFirst($0.count + 1)) }?.withoutLabels ?? path.withoutLabels
    }

    var isType: Bool { [.struct, .enum, .class, .actor, .protocol].contains(kind) }
}

extension String {
    fileprivate var withoutLabels: String { String(prefix { $0 != "(" }) }
}
