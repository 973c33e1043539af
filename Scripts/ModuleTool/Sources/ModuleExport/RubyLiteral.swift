/// Writes values as Ruby literals.
enum RubyLiteral {
    /// A double-quoted string, as in the seed's podspecs: `"2.0.0"`.
    ///
    /// The text is escaped: no part of it can end the literal or run as code.
    static func string(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// An array: `["Ann", "Bob"]`.
    static func list(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ", ") + "]" }

    /// A hash with symbols as keys: `{ :type => "MIT" }`.
    static func hash(_ pairs: KeyValuePairs<String, String>) -> String {
        "{ " + pairs.map { ":\($0) => \(string($1))" }.joined(separator: ", ") + " }"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        // `#` can start an interpolation: `#{...}`, `#@name`, `#$name`.
        case "\"", "\\", "#": "\\\(scalar)"
        case _ where scalar.properties.generalCategory == .control:
            "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }
}
