import SwiftSyntax

/// What a declaration implies: inherited protocols and global actors, and the values of constants.
extension SurfaceReader {
    /// The protocols in a list, each with the standard protocols that it implies.
    func inherited(_ clause: InheritanceClauseSyntax?) -> [String] {
        let written = clause?.inheritedTypes.flatMap { inherited -> [String] in
            let attributed = inherited.type.as(AttributedTypeSyntax.self)
            let isolation = Attributes(attributed.map { [$0.attributes] } ?? []).isolation.map {
                text($0) + " "
            }
            return implied(by: text(attributed?.baseType ?? inherited.type)).map { (isolation ?? "") + $0 }
        }
        return written ?? []
    }

    /// The protocols of a composition, each with the standard protocols that it implies.
    func implied(by composition: String) -> [String] {
        composition.split(separator: " & ").map(String.init).flatMap { Self.implied[$0] ?? [$0] }
    }

    private static let implied = [
        "Hashable": ["Hashable", "Equatable"], "Comparable": ["Comparable", "Equatable"],
        "Codable": ["Encodable", "Decodable"], "Error": ["Error", "Sendable"],
        "LocalizedError": ["LocalizedError", "Error", "Sendable"],
    ]

    /// The declaration with the values of hidden constants in place of their names, and with the global actor that a type
    /// gets from what it inherits.
    ///
    /// - Parameter constants: The values of the constants.
    func expanded(_ declaration: Declaration, _ constants: [String: String]) -> Declaration {
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
            let around = sequence(first: path) { inner in
                inner.isEmpty ? nil : String(inner.prefix(upTo: inner.lastIndex(of: ".") ?? inner.startIndex))
            }
            type = around.lazy.compactMap { aliases[$0.isEmpty ? type : $0 + "." + type] }.first ?? type
        }
        if type == "String" { return "\"\(implicit.name)\"" }
        return Self.numbers.contains(type) ? "\(implicit.number)" : nil
    }

    static let numbers = Set(
        ["", "8", "16", "32", "64", "128"].flatMap { ["Int" + $0, "UInt" + $0] }
    ).union(["CInt", "Double", "Float"])

    /// The values of the constants that callers cannot name, each with the values of others in place of their names.
    var constantValues: [String: String] {
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

    private func inheritedIsolation(of path: String) -> String? {
        reachable(from: [path]) { name in
            let type = types[name] ?? hiddenTypes[name]
            return name == path || type?.isolation == nil ? type?.inherited ?? [] : []
        }.dropFirst().lazy.compactMap { (types[$0] ?? hiddenTypes[$0])?.isolation }.first { !$0.isEmpty }
    }
}
