import ModuleEdits

/// A template for the addresses of exported packages: an address that contains `{name}`.
package struct AddressTemplate: Sendable, Equatable {
    /// Relative paths, for repositories in the same folder.
    ///
    /// SwiftPM resolves an address without a scheme relative to the repository whose manifest contains it, so
    /// the folder can be moved.
    package static let siblings = AddressTemplate(unchecked: "../{name}")

    private let text: String

    private init(unchecked text: String) { self.text = text }

    /// Creates a template such as `https://github.com/acme/{name}.git`.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when the template's last path component is not `{name}` or
    ///   `{name}.git`.
    package init(_ text: String) throws(EditError) {
        let last = text.split(separator: "/", omittingEmptySubsequences: false).last
        guard last == "{name}" || last == "{name}.git", text.contains("/"),
            text.components(separatedBy: "{name}") == 2,
            !text.contains(where: { $0 == "\"" || $0 == "\\" || $0.isWhitespace })
        else {
            throw EditError(
                .usage, "'\(text)' is not a template for addresses.",
                why: "SwiftPM identifies a package by the last part of its address, which must be its name.",
                fix: "Write: --url \"https://github.com/acme/{name}.git\"")
        }
        self.text = text
    }

    /// The address of a package.
    package func address(of name: String) -> String { text.replacing("{name}", with: name) }

    /// Whether the addresses are URLs rather than relative paths.
    package var isRemote: Bool { self != .siblings }
}

extension String {
    /// The number of parts between occurrences of a separator.
    fileprivate func components(separatedBy separator: String) -> Int {
        ranges(of: separator).count + 1
    }
}
