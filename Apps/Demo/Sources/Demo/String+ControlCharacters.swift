extension String {
    /// The text with control characters escaped, so that text from outside, such as a URL or a banner, cannot
    /// control the terminal.
    public var withoutControlCharacters: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
