import ModuleFacts

package enum VersionStep: String, Sendable, CaseIterable, Comparable {
    /// Something that callers use was changed or removed.
    case major
    /// Something was added.
    case minor
    /// Nothing changed for callers.
    case patch

    /// Whether a step is smaller than another: a patch is the smallest.
    package static func < (left: VersionStep, right: VersionStep) -> Bool {
        switch (left, right) {
        case (.patch, .minor), (.patch, .major), (.minor, .major): true
        default: false
        }
    }
}

extension SemanticVersion {
    /// The next release at this step, which is always higher than this version.
    ///
    /// If this version is a prerelease of that next release, the result is the release itself: `2.0.0-beta.1`
    /// raised by a major step is `2.0.0`.
    package func raised(by step: VersionStep) -> SemanticVersion {
        let isPrerelease = !prerelease.isEmpty
        return switch step {
        case .major: SemanticVersion(isPrerelease && minor == 0 && patch == 0 ? major : major + 1, 0, 0)
        case .minor: SemanticVersion(major, isPrerelease && patch == 0 ? minor : minor + 1, 0)
        case .patch: SemanticVersion(major, minor, isPrerelease ? patch : patch + 1)
        }
    }

    /// Whether a version is higher than this one by at least a step.
    package func isRaised(to version: SemanticVersion, by step: VersionStep) -> Bool {
        switch step {
        case .major: version.major > major
        case .minor: (version.major, version.minor) > (major, minor)
        case .patch: version > self
        }
    }

    /// The step from this version that changes of a package need. Before 1.0.0, a minor step may break callers.
    package func step(for changes: ApiSurface.Changes) -> VersionStep {
        if !changes.isChanged { return .patch }
        return changes.breaks.isEmpty || major == 0 ? .minor : .major
    }
}
