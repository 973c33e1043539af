/// Converts a value to a type, as in the table of ``Parameters``. A value that already has the type is unchanged.
///
/// The list of conversions is closed on purpose. `LosslessStringConvertible` would allow any conforming type,
/// and some initialisers (`Character`) trap on bad text, which must never happen with text from a URL.
func converted<T>(_ value: Any, to type: T.Type) -> T? {
    if let value = value as? T { return value }
    if let integerType = T.self as? any FixedWidthInteger.Type {
        return integer(value, integerType) as? T
    }
    if T.self == Double.self { return number(value) as? T }
    if T.self == Float.self { return number(value).flatMap(finiteFloat) as? T }
    guard let text = value as? String else { return nil }
    if T.self == Bool.self { return truth(text) as? T }
    if T.self == [String].self { return [text] as? T }
    return nil
}

/// Describes a value for an error: its type, and the value itself if it is a string, a number or a `Bool`.
func described(_ value: Any) -> String {
    switch value {
    case let text as String: "the text \(AppURL.quoted(text))"
    case let number as any BinaryInteger: "\(type(of: value)) \(number)"
    case is Double, is Float, is Bool: "\(type(of: value)) \(value)"
    default: "a value of type \(type(of: value))"
    }
}

private func integer<I: FixedWidthInteger>(_ value: Any, _ type: I.Type) -> I? {
    switch value {
    case let text as String: I(text)
    case let number as any BinaryInteger: I(exactly: number)
    default: nil
    }
}

private func number(_ value: Any) -> Double? {
    switch value {
    case let text as String: Double(text).flatMap { $0.isFinite ? $0 : nil }
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as any BinaryInteger: Double(exactly: number)
    default: nil
    }
}

private func finiteFloat(_ number: Double) -> Float? {
    let float = Float(number)
    return float.isFinite ? float : nil
}

private func truth(_ text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
}
