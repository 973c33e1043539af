import ModuleTree

/// The reasons why packages cannot be merged into one.
struct MergeConflicts {
    /// One reason for each package, in the order of the targets.
    private(set) var reasons: [(package: LocalPackage, reason: String)] = []

    private let builds: [Int: BuildManifest]
    private var known: Set<Int> = []

    /// - Parameters:
    ///   - targets: The targets to merge, most important ones first: of two packages that exclude each other, the later
    ///     one is refused.
    ///   - builds: How SwiftPM builds the targets' packages, by the index of the package.
    init(_ targets: [FocusTargets.Target], _ builds: [Int: BuildManifest], in focus: Focus) {
        self.builds = builds
        var names: [String: LocalPackage] = [:]
        var files: [String: LocalPackage] = [:]
        var standards: [String: (package: LocalPackage, value: String)] = [:]
        for (package, target) in targets.map({ ($0.package, $0.target) }) {
            let build = builds[package.index] ?? BuildManifest()
            if let reason = Self.reason(target, of: package, build) { refuse(package, reason) }
            if let owner = names[target.name], owner !== package {
                refuse(package, "\(owner.name) has a target with the name \(target.name), too")
            }
            let paths = target.files.map(\.path)
            if let owner = paths.lazy.compactMap({ files[$0] }).first, owner !== package {
                refuse(package, "\(owner.name) compiles files of its target \(target.name), too")
            }
            var values: [String: String] = [:]
            if target.isC { values["C standard"] = build.cStandard ?? "the default" }
            if target.isC || build.usesCxx(target) {
                values["C++ standard"] = build.cxxStandard ?? "the default"
            }
            if let language = build.defaultLocalization { values["default localization"] = language }
            for (name, value) in values {
                guard let first = standards[name] else { continue }
                if first.value != value {
                    refuse(
                        package,
                        "its \(name) is \(value), and that of \(first.package.name) is \(first.value)")
                }
            }
            guard !known.contains(package.index) else { continue }
            names[target.name] = package
            for path in paths { files[path] = package }
            for (name, value) in values where standards[name] == nil { standards[name] = (package, value) }
        }
        for target in targets {
            for dependency in target.target.dependencies {
                guard let owner = focus.owner(of: dependency, in: target.package), owner !== target.package
                else { continue }
                let product = owner.manifest.products.first { $0.name == dependency.name }
                if product?.isDynamic == true {
                    refuse(owner, "its product \(dependency.name) is a dynamic library")
                }
            }
        }
    }

    private mutating func refuse(_ package: LocalPackage, _ reason: String) {
        if known.insert(package.index).inserted { reasons.append((package, reason)) }
    }

    /// Why a target cannot be part of another package; nil if it can.
    private static func reason(_ target: LocalTarget, of package: LocalPackage, _ build: BuildManifest)
        -> String?
    {
        switch target.kind {
        case .plugin: return "its target \(target.name) is a plugin"
        case .system: return "its target \(target.name) is a system library"
        case .binary, .providedLibrary: return "its target \(target.name) is a binary"
        case .regular, .executable, .test, .macro: break
        }
        // SwiftPM leaves out the manifests in the folder of the package itself, but not those of other packages.
        if target.folder == package.path {
            return "the folder of its target \(target.name) is its own folder"
        }
        let names = [target.name, String(target.folder.prefix { $0 != "/" })]
        if names.contains(where: { $0.lowercased() == MergedPackage.check.lowercased() }) {
            return
                "its target \(target.name) has the name or the folder of the focus's \(MergedPackage.check)"
        }
        if let unknown = build.unknown { return "its manifest contains \(unknown), which cannot be copied" }
        let modes = (build.targets[target.name]?.settings ?? []).filter { $0.name == "swiftLanguageMode" }
        if build.languageMode != "6", !modes.isEmpty, modes.allSatisfy(\.isConditional) {
            return "its target \(target.name) has a language mode on some platforms or configurations only"
        }
        if target.dependencies.contains(where: \.renamesModules) {
            return "its target \(target.name) renames modules of a product"
        }
        let platforms = target.dependencies.flatMap(\.platforms)
        if let platform = platforms.first(where: { BuildManifest.platform($0) == nil }) {
            return "its target \(target.name) has a dependency on the platform \(platform)"
        }
        // Before 5.4, a target with a `main.swift` is an executable.
        if build.toolsVersion.lexicographicallyPrecedes([5, 4]) {
            return "its tools version is older than 5.4"
        }
        return nil
    }
}

extension LocalTarget {
    /// Whether the target compiles C, C++ or Objective-C.
    var isC: Bool { files.isEmpty }
}

extension BuildManifest {
    /// Whether a Swift target imports C++.
    func usesCxx(_ target: LocalTarget) -> Bool {
        targets[target.name]?.settings.contains {
            $0.name == "interoperabilityMode" && $0.arguments == [".Cxx"]
        }
            ?? false
    }
}

extension BuildManifest.Setting {
    fileprivate var isConditional: Bool { !platforms.isEmpty || configuration != nil }
}
