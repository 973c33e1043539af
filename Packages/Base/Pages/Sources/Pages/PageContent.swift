/// A part of a page.
///
/// The fields between two buttons form a form with the button that follows them: a tap on the button sends their
/// values.
public enum PageContent: Sendable, Hashable {
    /// A paragraph.
    case text(String)
    /// A list. If it is empty, the page should say so with a ``text(_:)``.
    case rows([PageRow])
    /// A field of a form.
    case field(PageField)
    /// A code to hold up to a reader, with a caption.
    case code(String, caption: String)
    /// A button that performs an action of the page.
    case button(PageButton)
    /// A text that the user may save as a file.
    case file(PageFile)

    /// A button that performs an action of the page.
    ///
    /// - Parameters:
    ///   - title: A verb and its object, such as "Show the code".
    ///   - action: The ``PageTap/action`` that the page receives.
    public static func button(_ title: String, action: String) -> PageContent {
        .button(PageButton(title: title, action: action))
    }
}

/// A text that the user may save as a file.
public struct PageFile: Sendable, Hashable {
    /// A verb and its object, such as "Save the statement".
    public let title: String
    /// The name of the file, with its extension: letters, digits, `-`, `_` and `.`.
    public let name: String
    /// The contents of the file.
    public let text: String

    /// Creates a file.
    public init(_ title: String, name: String, text: String) {
        (self.title, self.name, self.text) = (title, name, text)
    }
}

/// A button that performs an action of its page.
public struct PageButton: Sendable, Hashable {
    /// The text on the button.
    public let title: String
    /// The ``PageTap/action`` that the page receives.
    public let action: String

    /// Creates a button.
    public init(title: String, action: String) {
        (self.title, self.action) = (title, action)
    }
}

/// A row of a list.
public struct PageRow: Sendable, Hashable {
    /// What a tap on the row does.
    public enum Target: Sendable, Hashable {
        /// Nothing.
        case none
        /// Opens a page.
        case address(PageAddress)
        /// Opens a page of the web, outside the app. `url` begins with `https://`.
        case web(url: String)
        /// Performs an action of the page, which receives `row` as ``PageTap/row``.
        case action(String, row: String)
    }

    /// The first line.
    public let title: String
    /// The second line; empty for none.
    public let detail: String
    /// Whether the row is the chosen one of its list.
    public let isSelected: Bool
    /// What a tap on the row does.
    public let target: Target

    /// Creates a row.
    public init(_ title: String, detail: String = "", isSelected: Bool = false, _ target: Target = .none) {
        (self.title, self.detail, self.isSelected, self.target) = (title, detail, isSelected, target)
    }

    /// Creates a row that opens the page of a route.
    public init(
        _ title: String, detail: String = "", opens route: String, _ parameters: [String: String] = [:]
    ) {
        self.init(title, detail: detail, .address(PageAddress(route, parameters)))
    }
}

/// A field of a form.
public struct PageField: Sendable, Hashable {
    /// The kind of value, which decides how the field is shown.
    public enum Kind: Sendable, Hashable {
        /// A line of text.
        case text
        /// A telephone number.
        case phone
        /// A secret, which is never shown or sent back to the page's reader.
        case password
        /// One of several values.
        case choice([String])
        /// One of several stops, in the order of their line.
        case stop([String])
        /// A box to tick. ``PageTap/isOn(_:)`` reads it.
        case box
    }

    /// The name under which ``PageTap`` holds the value, unique in its page.
    public let name: String
    /// The label that the user reads.
    public let label: String
    /// The kind of value.
    public let kind: Kind
    /// The value before the user changes it; empty for a password.
    public let value: String

    /// Creates a field. A choice without a value begins with the first one; a password never has a value.
    public init(_ name: String, label: String, _ kind: Kind = .text, value: String = "") {
        (self.name, self.label, self.kind) = (name, label, kind)
        self.value =
            switch kind {
            case .choice(let all), .stop(let all): all.contains(value) ? value : all.first ?? ""
            case .password: ""
            case .text, .phone, .box: value
            }
    }
}
