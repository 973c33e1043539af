import ModuleVersions

/// The version requirement of an exported manifest for another exported package.
///
/// Between modules, every requirement is a floor without an upper bound, as in seed 1 ("其它说明": with `>=`
/// everywhere, the app can choose one later version for all). With `from:`, a module's next major version
/// could not be used until every caller had been released again. SwiftPM requires an upper bound, so the
/// range ends at a major version that no module reaches. Libraries are required with `from:`, as usual.
struct Requirement {
    /// A major version that no module reaches.
    static let endOfVersions = 10_000

    let floor: SemanticVersion
    let isOpen: Bool

    init(of package: ExportedPackage, floor: SemanticVersion) {
        self.floor = floor
        isOpen = package.source.role == .api || package.source.role == .imp
    }

    /// The argument after the address: `from: "1.2.0"`.
    var text: String {
        isOpen ? "\"\(floor)\"..<\"\(Self.endOfVersions).0.0\"" : "from: \"\(floor)\""
    }

    /// Whether a version satisfies the requirement.
    func accepts(_ version: SemanticVersion) -> Bool {
        version >= floor && (isOpen || version.major == floor.major)
    }
}
