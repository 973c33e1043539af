/// The type of a pattern's parameter, such as `int` in `:id<int>`.
///
/// A parameter matches only text that its type accepts. The cases are in the order in which a search tries
/// them. Texts of `bool` and most of `int` and `double` are also identifiers.
enum ParameterType: CaseIterable, Comparable, Sendable {
    /// `true` or `false`. The handler gets a `Bool`.
    case bool
    /// Digits with an optional minus sign, in the range of `Int`. The handler gets an `Int`.
    case int
    /// A finite decimal number with an optional minus sign, fraction and exponent. The handler gets a `Double`.
    case double
    /// Letters, digits, `-`, `_` and `.` of ASCII, but neither `.` nor `..`. The handler gets a `String`, which is safe as
    /// a file's name.
    case id

    /// What the type accepts, for an error.
    var expected: String {
        self == .id
            ? "an identifier (letters, digits, \"-\", \"_\" and \".\", but not \".\" or \"..\")" : "\(self)"
    }

    func accepts(_ text: String) -> Bool { value(of: text) != nil }

    /// The value that a handler gets, or nil if the type does not accept the text.
    func value(of text: String) -> (any Sendable)? {
        switch self {
        case .bool: text == "true" ? true : text == "false" ? false : nil
        case .int: text.first == "+" ? nil : Int(text)
        case .double: text.isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        case .id: text.isIdentifier ? text : nil
        }
    }
}

extension String {
    /// Whether the text is an identifier.
    fileprivate var isIdentifier: Bool {
        self != "." && self != ".." && !isEmpty
            && utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    /// Whether the text may be a decimal number: not one in hexadecimal, not infinity, and without a plus sign or a point
    /// at its beginning or a point at its end.
    fileprivate var isDecimal: Bool {
        utf8.allSatisfy { byte in
            byte.isDigit || "-+.eE".utf8.contains(byte)
        } && !hasPrefix("+") && !hasPrefix(".") && !hasPrefix("-.") && !hasSuffix(".")
            && !contains(".e")
            && !contains(".E")
    }
}

extension UInt8 {
    /// Whether the byte is a digit of ASCII.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether the byte is a letter of ASCII, a digit or `_`.
    var isWordCharacter: Bool {
        isDigit || self == UInt8(ascii: "_")
            || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z"))
    }
}
