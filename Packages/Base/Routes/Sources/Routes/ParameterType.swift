/// The type of a pattern's parameter, such as `int` in `:id<int>`.
///
/// A parameter matches only text that its type accepts. The cases are in the order in which a search tries
/// them. Only `int` and `double` overlap.
enum ParameterType: String, CaseIterable, Comparable, Sendable {
    /// `true` or `false`. The handler gets a `Bool`.
    case bool
    /// Digits with an optional minus sign, in the range of `Int`. The handler gets an `Int`.
    case int
    /// A finite decimal number with an optional minus sign, fraction and exponent. The handler gets a `Double`.
    case double

    static func < (left: Self, right: Self) -> Bool {
        (left == .bool && right != .bool) || (left == .int && right == .double)
    }

    func accepts(_ text: String) -> Bool { value(of: text) != nil }

    /// The value that a handler gets, or nil if the type does not accept the text.
    func value(of text: String) -> (any Sendable)? {
        switch self {
        case .bool: text == "true" ? true : text == "false" ? false : nil
        case .int: text.first == "+" ? nil : Int(text)
        case .double: text.isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        }
    }
}

extension String {
    /// Whether the text may be a decimal number: not one in hexadecimal, not infinity, and without a plus sign or a point
    /// at its beginning or a point at its end.
    fileprivate var isDecimal: Bool {
        utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-+.eE".utf8.contains(byte)
        } && !hasPrefix("+") && !hasPrefix(".") && !hasPrefix("-.") && !hasSuffix(".")
            && !contains(".e")
            && !contains(".E")
    }
}
