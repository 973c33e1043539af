import ModuleEdits

/// Where the exported packages will be found: an address with `{name}` in it.
package struct AddressTemplate: Sendable, Equatable {
    /// Beside each other, wherever that is: SwiftPM reads an address without a scheme as a path from the
    /// repository whose manifest says it. So repositories in one folder find each other, moved or not.
    package static let siblings = AddressTemplate(unchecked: "../{name}")

    private let text: String

    private init(unchecked text: String) { self.text = text }

    /// A template that a person gave: `https://github.com/acme/{name}.git`.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when its last part is not `{name}` or `{name}.git`.
    package init(_ text: String) throws(EditError) {
        let last = text.split(separator: "/", omittingEmptySubsequences: false).last
        guard last == "{name}" || last == "{name}.git", text.contains("/"),
            text.components(separatedBy: "{name}") == 2,
            !text.contains(where: { $0 == "\"" || $0 == "\\" || $0.isWhitespace })
        else {
            throw EditError(
                .usage, "'\(text)' is no template of addresses.",
                why: "SwiftPM tells packages apart by the last part of their address, which is their name.",
                mend: "Write: --url \"https://github.com/acme/{name}.git\"")
        }
        self.text = text
    }

    /// The address of a package.
    package func address(of name: String) -> String { text.replacing("{name}", with: name) }

    /// Whether it leads somewhere else than to the folder beside.
    package var isRemote: Bool { self != .siblings }
}

extension String {
    /// How many parts a separator leaves.
    fileprivate func components(separatedBy separator: String) -> Int {
        ranges(of: separator).count + 1
    }
}
