/// A Semantic Versioning 2.0.0 version (https://semver.org), such as `1.4.0`, `2.0.0-beta.1` or
/// `1.0.0+linux`.
///
/// Ordering and equality follow section 11 of the specification, so build metadata is ignored.
package struct SemanticVersion: Sendable, LosslessStringConvertible {
    /// Increases when a release changes or removes something that callers use.
    package let major: Int
    /// Increases when a release adds something.
    package let minor: Int
    /// Increases when a release changes nothing for callers.
    package let patch: Int
    /// The identifiers after `-`. Empty for a release.
    package let prerelease: [String]
    /// The identifiers after `+`.
    package let build: [String]

    package init(_ major: Int, _ minor: Int, _ patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
        (prerelease, build) = ([], [])
    }

    /// Parses a version, or returns nil if the text does not match the specification's grammar.
    ///
    /// All three numbers are required. Leading zeros and a `v` prefix are not allowed.
    package init?(_ text: String) {
        let withoutBuild = Self.split(text[...], at: "+", maxSplits: 1)
        let parts = Self.split(withoutBuild[0], at: "-", maxSplits: 1)
        let numbers = Self.split(parts[0], at: ".").map(Self.number)
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2],
            let prerelease = Self.identifiers(parts, numeric: { Self.number($0) != nil }),
            let build = Self.identifiers(withoutBuild, numeric: { _ in true })
        else { return nil }
        (self.major, self.minor, self.patch) = (major, minor, patch)
        (self.prerelease, self.build) = (prerelease, build)
    }

    package var description: String {
        "\(major).\(minor).\(patch)"
            + (prerelease.isEmpty ? "" : "-" + prerelease.joined(separator: "."))
            + (build.isEmpty ? "" : "+" + build.joined(separator: "."))
    }

    /// The versions among tags. A tag that a person created may have a prefix: `v1.0.0`.
    package static func releases(among tags: [String]) -> [(tag: String, version: SemanticVersion)] {
        tags.compactMap { tag in SemanticVersion(String(tag.trimmingPrefix("v"))).map { (tag, $0) } }
    }

    /// Splits a string, keeping empty parts.
    private static func split(
        _ text: Substring, at mark: Unicode.Scalar, maxSplits: Int = .max
    ) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: mark), maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// Parses a number of at most 18 digits without leading zeros.
    private static func number(_ text: Substring) -> Int? {
        isDigits(text) && text.utf8.count < 19 && (text == "0" || !text.hasPrefix("0")) ? Int(text) : nil
    }

    /// Parses the identifiers in the second element of `parts`.
    ///
    /// - Parameter numeric: Whether an identifier that consists of digits is allowed.
    /// - Returns: nil if an identifier is invalid; an empty array if `parts` has no second element.
    private static func identifiers(_ parts: [Substring], numeric: (Substring) -> Bool) -> [String]? {
        guard parts.count == 2 else { return [] }
        let identifiers = split(parts[1], at: ".")
        let areValid = identifiers.allSatisfy { identifier in
            identifier.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                && !identifier.isEmpty && (!isDigits(identifier) || numeric(identifier))
        }
        return areValid ? identifiers.map(String.init) : nil
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension SemanticVersion: Comparable, Hashable {
    /// Whether both versions are equal, ignoring build metadata.
    package static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        (left.major, left.minor, left.patch) == (right.major, right.minor, right.patch)
            && left.prerelease == right.prerelease
    }

    /// Whether `left` precedes `right`. A prerelease precedes its release.
    package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        let (a, b) = ((left.major, left.minor, left.patch), (right.major, right.minor, right.patch))
        if a != b { return a < b }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        return left.prerelease.lexicographicallyPrecedes(right.prerelease, by: identifierPrecedes)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine([major, minor, patch])
        hasher.combine(prerelease)
    }

    /// Orders prerelease identifiers: numbers by value, words in ASCII order, numbers before words.
    private static func identifierPrecedes(_ left: String, _ right: String) -> Bool {
        switch (isDigits(left), isDigits(right)) {
        case (true, true):
            left.count == right.count ? left < right : left.count < right.count
        case (true, false): true
        case (false, true): false
        case (false, false): left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}
