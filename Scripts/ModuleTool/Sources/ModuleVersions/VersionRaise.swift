/// A release of a library, or of an Api with the IMPs that changed.
package struct VersionRaise: Sendable {
    package let name: String
    /// The version step; nil for a first release, which keeps the versions of VERSIONS.md.
    package let step: VersionStep?
    /// The IMPs to bump together with the pair's Api. Empty for a library.
    package var imps: [String]
    /// The changes that need the step; empty if the user chose the step.
    package let reasons: [String]
    /// The removals that no release has announced by a deprecation, each with its place. They keep the release from
    /// being made.
    package let unannounced: [String]

    package init(
        name: String, step: VersionStep?, imps: [String], reasons: [String] = [], unannounced: [String] = []
    ) {
        (self.name, self.step, self.imps, self.reasons) = (name, step, imps, reasons)
        self.unannounced = unannounced
    }
}
