import ModuleKit
import ModuleTree

/// The traits that are enabled in each package, as SwiftPM finds them: a package has the traits that any package which
/// depends on it selects.
struct EnabledTraits {
    private var enabled: [Int: Set<String>] = [:]

    /// Whether packages other than the app's have traits, which the manifest of any package of the focus may select.
    let mayBeSelected: Bool

    subscript(package: LocalPackage) -> Set<String> { enabled[package.index] ?? [] }

    /// - Parameter build: Reads how SwiftPM builds a package.
    init(_ focus: Focus, build: (LocalPackage) throws -> BuildManifest) rethrows {
        let (app, all) = (focus.package, focus.packages)
        let withTraits = all.filter { !$0.manifest.traits.isEmpty }
        mayBeSelected = withTraits.contains { $0 !== app }
        for package in withTraits { enabled[package.index] = [] }
        if !app.manifest.traits.isEmpty {
            enabled[app.index] = Self.closure(of: focus.traits, in: try build(app))
        }
        // A package can select a trait because another one selects one of its own.
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for package in all {
                for dependency in package.manifest.dependencies {
                    guard let other = focus.package(for: dependency, of: package), other !== app,
                        let old = enabled[other.index]
                    else { continue }
                    let selected =
                        try build(package).selections[dependency.identity] ?? [.init(name: "default")]
                    let chosen = selected.filter {
                        $0.traits.isEmpty || !$0.traits.isDisjoint(with: self[package])
                    }
                    let new = Self.closure(of: old.union(chosen.map(\.name)), in: try build(other))
                    if new != old { (enabled[other.index], hasChanged) = (new, true) }
                }
            }
        }
    }

    /// Traits with those that they enable.
    private static func closure(of traits: Set<String>, in build: BuildManifest) -> Set<String> {
        Set(reachable(from: traits.sorted()) { build.traits[$0, default: []].sorted() }).subtracting([
            "default"
        ])
    }
}
