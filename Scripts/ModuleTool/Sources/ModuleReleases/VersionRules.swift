import ModuleRules

/// The rules about versions and change notes, in the order in which `modules explain` lists them. Of two rules that
/// report the same cause, the first one is stronger.
package enum VersionRules {
    package static let all: [Rule] = [
        .versionTable, .versionLibraries, .versionLowered, .versionDeprecation, .versionStep, .versionRaised,
        .versionInCode, .versionFloors, .versionNotes,
    ]
}
