/// A git tag that releases versions.
package struct ReleaseTag: Sendable {
    /// What the tag has in place of `{name}`: the package that it releases; nil if it releases all packages.
    package let name: String?

    /// Reads a tag; nil if it matches none of the patterns.
    ///
    /// - Parameter patterns: In a pattern, `{version}` stands for a semantic version, `{name}` for a name, and `*` for any
    ///   text.
    package init?(_ tag: String, matching patterns: [String]) {
        for pattern in patterns {
            guard let match = try? Self.regex(pattern).wholeMatch(in: tag) else { continue }
            let version = match["version"]?.substring
            guard version.map({ SemanticVersion(String($0)) != nil }) ?? true else { continue }
            name = match["name"]?.substring.map(String.init)
            return
        }
        return nil
    }

    /// A tag that matches the first pattern and releases a version of a package; nil without patterns.
    package static func example(
        of version: SemanticVersion, _ name: String, matching patterns: [String]
    ) -> String? {
        patterns.first?.replacing("{version}", with: version.description).replacing("{name}", with: name)
            .replacing("*", with: "1")
    }

    private static func regex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
        func escaped(_ text: String) -> String {
            text.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
        }
        return try Regex(
            escaped(pattern)
                .replacing(escaped("{version}"), with: #"(?<version>\d+\.\d+\.\d+(?:[-+].*)?)"#)
                .replacing(escaped("{name}"), with: "(?<name>.+)").replacing(escaped("*"), with: ".*"))
    }
}
