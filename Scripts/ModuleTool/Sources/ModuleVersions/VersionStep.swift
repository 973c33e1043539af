/// The size of a version increase.
package enum VersionStep: String, Sendable, CaseIterable {
    /// Something that callers use was changed or removed.
    case major
    /// Something was added.
    case minor
    /// Nothing changed for callers.
    case patch
}

extension SemanticVersion {
    /// The next release at this step, which is always higher than this version.
    ///
    /// If this version is a prerelease of that next release, the result is the release itself: `2.0.0-beta.1`
    /// raised by a major step is `2.0.0`.
    ///
    /// - Returns: nil if a number would overflow `Int`.
    package func raised(by step: VersionStep) -> SemanticVersion? {
        let isPrerelease = !prerelease.isEmpty
        switch step {
        case .major:
            if isPrerelease, minor == 0, patch == 0 { return SemanticVersion(major, 0, 0) }
            return major == .max ? nil : SemanticVersion(major + 1, 0, 0)
        case .minor:
            if isPrerelease, patch == 0 { return SemanticVersion(major, minor, 0) }
            return minor == .max ? nil : SemanticVersion(major, minor + 1, 0)
        case .patch:
            if isPrerelease { return SemanticVersion(major, minor, patch) }
            return patch == .max ? nil : SemanticVersion(major, minor, patch + 1)
        }
    }
}
