/// A tap on a button or a row, with the values of the form's fields.
///
/// All values come from outside the app. The typed reads check them, and throw a ``PageError`` that names the field.
public struct PageTap: Sendable, Hashable {
    /// The action of the button or row.
    public let action: String
    /// The row whose action this is; nil for a button.
    public let row: String?
    private let fields: [String: String]

    /// Creates a tap.
    ///
    /// - Parameters:
    ///   - action: The action of the button or row.
    ///   - row: The row whose action this is; nil for a button.
    ///   - fields: The values of the form's fields, keyed by ``PageField/name``.
    public init(_ action: String, row: String? = nil, fields: [String: String] = [:]) {
        (self.action, self.row, self.fields) = (action, row, fields)
    }

    /// Returns the value of a field without surrounding white space.
    ///
    /// - Throws: ``PageError`` when nothing was entered.
    public func text(_ field: String) throws(PageError) -> String {
        let value = fields[field, default: ""]
        let isSpace: (Character) -> Bool = \.isWhitespace
        guard let first = value.firstIndex(where: { !isSpace($0) }),
            let last = value.lastIndex(where: { !isSpace($0) })
        else { throw PageError("Please fill in this field.", field: field) }
        return String(value[first...last])
    }

    /// Returns the value of a password field, exactly as entered.
    ///
    /// - Throws: ``PageError`` when nothing was entered.
    public func password(_ field: String) throws(PageError) -> String {
        guard let value = fields[field], !value.isEmpty else {
            throw PageError("Please fill in this field.", field: field)
        }
        return value
    }

    /// Returns the chosen value of a field.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - choices: The values that the field offered.
    /// - Throws: ``PageError`` when the value is not one of `choices`.
    public func choice(_ field: String, of choices: [String]) throws(PageError) -> String {
        guard let value = fields[field], choices.contains(value) else {
            throw PageError("Please choose one of the offered values.", field: field)
        }
        return value
    }

    /// Whether a box is ticked.
    public func isOn(_ field: String) -> Bool { fields[field, default: ""] == PageTap.on }

    /// The value of a ticked box.
    public static let on = "on"

    /// The error to throw for an action that the page does not know.
    public var unknownAction: PageError {
        PageError("This page has changed. Please try again.", reason: "the page has no action '\(action)'")
    }
}
