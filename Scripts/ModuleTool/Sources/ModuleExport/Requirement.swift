import ModuleTree
import ModuleVersions

/// What an exported manifest requires of another exported package.
///
/// Between modules every requirement is a floor without an upper bound, since seed 1 has it so ("其它说明": with
/// `>=` throughout, the app can choose any later version for all). With `from:` one module's next major version
/// could not be used before every caller had been released anew. SwiftPM has no form without an upper bound, so
/// the range ends at a major version that nobody reaches. Libraries are required by `from:`, as anywhere.
struct Requirement {
    /// No module's major version gets here.
    static let endOfVersions = 10_000

    let floor: SemanticVersion
    let isOpen: Bool

    init(of package: ExportedPackage, floor: SemanticVersion) {
        self.floor = floor
        isOpen = package.source.role == .api || package.source.role == .imp
    }

    /// As it stands behind the address: `from: "1.2.0"`.
    var text: String {
        isOpen ? "\"\(floor)\"..<\"\(Self.endOfVersions).0.0\"" : "from: \"\(floor)\""
    }

    /// Whether a version meets it.
    func accepts(_ version: SemanticVersion) -> Bool {
        version >= floor && (isOpen || version.major == floor.major)
    }
}
