extension String {
    /// The text with control characters written out, for a terminal that would obey them. URLs and banners
    /// come from outside.
    var withoutControlCharacters: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
