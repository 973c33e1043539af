/// Writes values as Ruby has them in source.
enum RubyLiteral {
    /// A text between double quotes, as the seed's podspecs have it: `"2.0.0"`.
    ///
    /// Whatever the text is, it stands for itself: nothing in it ends the literal or is run.
    static func string(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// A list: `["Ann", "Bob"]`.
    static func list(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ", ") + "]" }

    /// A hash with symbols for keys: `{ :type => "MIT" }`.
    static func hash(_ pairs: KeyValuePairs<String, String>) -> String {
        "{ " + pairs.map { ":\($0) => \(string($1))" }.joined(separator: ", ") + " }"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        // Behind `#` Ruby may look for something to run: `#{...}`, `#@name`, `#$name`.
        case "\"", "\\", "#": "\\\(scalar)"
        case _ where scalar.properties.generalCategory == .control:
            "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }
}
