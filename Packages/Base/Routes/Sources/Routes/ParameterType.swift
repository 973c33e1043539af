/// The type of a pattern's parameter, such as `int` in `:id<int>`.
///
/// A parameter matches only text that its type accepts. The cases are in the order in which a search tries
/// them. Only `int` and `double` overlap.
enum ParameterType: String, CaseIterable, Comparable, Sendable {
    /// `true` or `false`. The handler gets a `Bool`.
    case bool
    /// Digits with an optional minus sign, in the range of `Int`. The handler gets an `Int`.
    case int
    /// A finite number with an optional minus sign, fraction and exponent. The handler gets a `Double`.
    case double

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .bool: 0
        case .int: 1
        case .double: 2
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .bool: text == "true" || text == "false"
        case .int: isNumber(text, fraction: false) && Int(text) != nil
        case .double: isNumber(text, fraction: true) && Double(text)?.isFinite ?? false
        }
    }

    /// The value that a handler gets, or nil if the type does not accept the text.
    func value(of text: String) -> (any Sendable)? {
        guard accepts(text) else { return nil }
        return switch self {
        case .bool: text == "true"
        case .int: Int(text)
        case .double: Double(text)
        }
    }
}

/// Whether the text is `["-"] digits`. If `fraction` is true, the digits may be followed by
/// `["." digits] [("e" | "E") ["+" | "-"] digits]`.
private func isNumber(_ text: String, fraction: Bool) -> Bool {
    var rest = text.utf8[...]
    func skipDigits(_ rest: inout Substring.UTF8View) -> Bool {
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        rest = rest[digits.endIndex...]
        return !digits.isEmpty
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    guard skipDigits(&rest) else { return false }
    guard fraction else { return rest.isEmpty }
    if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        guard skipDigits(&rest) else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard skipDigits(&rest) else { return false }
    }
    return rest.isEmpty
}
