/// The directives of a Cache-Control field (RFC 9111, 5.2).
struct CacheControl {
    private var directives: [(name: String, value: String?)] = []

    init(_ field: String?) {
        guard let field else { return }
        var (name, value, isValue, isQuoted) = ("", "", false, false)
        func trimmed(_ text: String) -> String { text.filter { $0 != " " && $0 != "\t" }.lowercased() }
        for character in field + "," {
            switch character {
            case "\"" where isValue: isQuoted.toggle()
            case "=" where !isValue: isValue = true
            case "," where !isQuoted:
                if !trimmed(name).isEmpty {
                    directives.append((trimmed(name), isValue ? trimmed(value) : nil))
                }
                (name, value, isValue) = ("", "", false)
            default: if isValue { value.append(character) } else { name.append(character) }
            }
        }
    }

    /// Whether a directive is present, with or without a value.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns the value of a directive in seconds; `nil` if it is missing. If there are several values, returns the
    /// smallest one. An invalid value is 0 (RFC 9111, 4.2.1).
    func seconds(_ name: String) -> Double? {
        directives.filter { $0.name == name }.map { directive in
            guard let value = directive.value, !value.isEmpty, value.allSatisfy({ $0.isASCII && $0.isNumber })
            else { return 0 }
            // RFC 9111, 1.2.2: a number that is too large is treated as 2^31.
            return min(Double(value) ?? 0, 2_147_483_648)
        }.min()
    }
}
