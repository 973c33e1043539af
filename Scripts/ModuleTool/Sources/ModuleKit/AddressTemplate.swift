/// A template for the addresses of exported packages: an address that contains `{name}`.
package struct AddressTemplate: Sendable, Equatable {
    /// Relative paths, for repositories in the same folder.
    ///
    /// SwiftPM resolves an address without a scheme relative to the repository whose manifest contains it, so
    /// the folder can be moved.
    package static let siblings = AddressTemplate(unchecked: "../{name}")

    private let text: String

    private init(unchecked text: String) { self.text = text }

    package init(_ text: String) throws(Diagnostic) {
        let last = text.split(separator: "/", omittingEmptySubsequences: false).last
        guard last == "{name}" || last == "{name}.git", text.contains("/"),
            text.ranges(of: "{name}").count == 1,
            !text.contains(where: { $0 == "\"" || $0 == "\\" || $0.isWhitespace })
        else {
            throw Diagnostic(
                .configuration, "'\(text)' is not an address template.",
                why: "SwiftPM identifies a package by the last part of its address, which must be its name.",
                fix: "Pass --url \"https://github.com/acme/{name}.git\".")
        }
        self.text = text
    }

    package func address(of name: String) -> String { text.replacing("{name}", with: name) }
}
