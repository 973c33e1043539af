import ModuleTree

/// The manifest of a merged package, as a person would write it.
extension MergedPackage {
    /// The last target, which every other target depends on, directly or not.
    static let check = "FocusIsCurrent"

    /// - Parameter arguments: The arguments of the command that makes the package.
    func manifest(madeBy arguments: String) -> String {
        let imports = targets.contains { $0.kind == .macro } ? ["CompilerPluginSupport"] : []
        var text = "// swift-tools-version: \(toolsVersion)\n// Made by: modules focus \(arguments)\n"
        for module in imports + ["PackageDescription"] { text += "import \(module)\n" }
        if !traits.isEmpty {
            let defines = traits.map { "    .define(\($0.debugDescription)),\n" }.joined()
            text += "\n/// The traits of \(name) that are on.\nlet traits: [SwiftSetting] = [\n\(defines)]\n"
        }
        text += "\nlet package = Package(\n    name: \(name.debugDescription)" + header + "\n)\n"
        // In one list of all targets, the compiler would take several times as long to infer the types.
        for package in targets.split(whenDifferent: \.package) {
            text += "\npackage.targets += [\n" + package.map { code($0) + ",\n" }.joined() + "]\n"
        }
        text += """

            // Compiles only while the files from which this package was made are unchanged.
            package.targets += [
                .target(name: "\(Self.check)", path: "\(Self.check)", publicHeadersPath: ".")
            ]

            """
        return text
    }

    private var header: String {
        func list(_ label: String, _ elements: [String]) -> String {
            elements.isEmpty
                ? "" : ",\n    \(label): [\n" + elements.map { "        \($0),\n" }.joined() + "    ]"
        }
        let minimums = platforms.map { name, version in
            ".\(name)(\"\(version.map(String.init).joined(separator: "."))\")"
        }
        return (defaultLocalization.map { ",\n    defaultLocalization: \($0.debugDescription)" } ?? "")
            + (minimums.isEmpty ? "" : ",\n    platforms: [\(minimums.joined(separator: ", "))]")
            + list(
                "products",
                executables.map { ".executable(name: \($0.name.debugDescription), targets: \($0.targets))" })
            + list("dependencies", dependencies)
            + (cStandard.map { ",\n    cLanguageStandard: .\($0)" } ?? "")
            + (cxxStandard.map { ",\n    cxxLanguageStandard: .\($0)" } ?? "")
    }

    private func code(_ target: Target) -> String {
        let function =
            switch target.kind {
            case .executable: "executableTarget"
            case .test: "testTarget"
            case .macro: "macro"
            default: "target"
            }
        var uses = target.uses.filter { !$0.isPlugin }.map(code)
        if target.isLast || target.kind == .executable, target.kind != .macro {
            uses.append("\"\(Self.check)\"")
        }
        var arguments = ["name: \(target.name.debugDescription)"]
        func add(_ label: String, _ elements: [String]) {
            if !elements.isEmpty { arguments.append(Self.list(label, elements)) }
        }
        add("dependencies", uses)
        arguments.append("path: \(target.folder.debugDescription)")
        add("exclude", target.build.exclude.map(\.debugDescription))
        if let sources = target.sources { arguments.append("sources: \(sources)") }
        add("resources", target.build.resources.map(code))
        if let path = target.build.publicHeadersPath {
            arguments.append("publicHeadersPath: \(path.debugDescription)")
        }
        if !target.build.packageAccess { arguments.append("packageAccess: false") }
        for tool in BuildManifest.Setting.Tool.allCases {
            let settings = target.build.settings.filter { $0.tool == tool }.map(code)
            if tool == .swift, target.hasTraits, !traits.isEmpty {
                arguments.append(
                    "swiftSettings: traits"
                        + (settings.isEmpty ? "" : " + [\(settings.joined(separator: ", "))]"))
            } else {
                add(tool.rawValue, settings)
            }
        }
        add("plugins", target.uses.filter(\.isPlugin).map(code))
        let lines = arguments.map { "        " + $0 }.joined(separator: ",\n")
        return "    .\(function)(\n\(lines))"
    }

    /// A list in one line, or in several full lines.
    private static func list(_ label: String, _ elements: [String]) -> String {
        let line = "\(label): [\(elements.joined(separator: ", "))]"
        guard line.count > 100 else { return line }
        var lines: [String] = []
        for element in elements.map({ $0 + "," }) {
            if let last = lines.last, last.count + element.count < 98 {
                lines[lines.count - 1] = last + " " + element
            } else {
                lines.append(element)
            }
        }
        return "\(label): [\n" + lines.map { "            \($0)\n" }.joined() + "        ]"
    }

    private func code(_ use: FocusTargets.Use) -> String {
        let platforms = use.platforms.map { "." + $0 }.joined(separator: ", ")
        let condition = platforms.isEmpty ? "" : ", condition: .when(platforms: [\(platforms)])"
        let name = use.name.debugDescription
        return switch use.provider {
        case .package(let package) where use.isPlugin:
            ".plugin(name: \(name), package: \(package.debugDescription))"
        case .package(let package):
            ".product(name: \(name), package: \(package.debugDescription)\(condition))"
        case .target where !condition.isEmpty: ".target(name: \(name)\(condition))"
        case .unknown where !condition.isEmpty: ".byName(name: \(name)\(condition))"
        case .target, .unknown: use.isPlugin ? ".plugin(name: \(name))" : name
        }
    }

    private func code(_ resource: BuildManifest.Resource) -> String {
        let localization = resource.localization.map { ", localization: .\($0)" } ?? ""
        return ".\(resource.rule)(\(resource.path.debugDescription)\(localization))"
    }

    private func code(_ setting: BuildManifest.Setting) -> String {
        var condition: [String] = []
        if !setting.platforms.isEmpty {
            condition.append("platforms: [\(setting.platforms.map { "." + $0 }.joined(separator: ", "))]")
        }
        if let configuration = setting.configuration { condition.append("configuration: .\(configuration)") }
        let when = condition.isEmpty ? [] : [".when(\(condition.joined(separator: ", ")))"]
        return ".\(setting.name)(\((setting.arguments + when).joined(separator: ", ")))"
    }
}

extension [MergedPackage.Target] {
    /// The targets in groups of those that follow each other and have an equal value.
    fileprivate func split(whenDifferent value: KeyPath<Element, String>) -> [[Element]] {
        reduce(into: []) { groups, target in
            if groups.last?.last?[keyPath: value] == target[keyPath: value] {
                groups[groups.count - 1].append(target)
            } else {
                groups.append([target])
            }
        }
    }
}
