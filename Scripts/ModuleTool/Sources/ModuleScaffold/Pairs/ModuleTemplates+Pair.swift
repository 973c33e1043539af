import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

extension ModuleTemplates {
    /// The files of a pair.
    ///
    /// - Parameter calls: The folders of the IMPs whose Apis the pair calls.
    func pair(calling calls: [String]) -> [String: String] {
        let callees = calls.map { configuration.api(PathText.split($0).name) }
        let values = values(
            packages: ([folder] + calls).map { .path(configuration.api($0)) },
            products: [configuration.api(name)] + callees
        ).merging([
            "Service": calls.isEmpty ? "\(name)Service()" : "try \(name)Service(center: $0)",
            "Imports": callees.map { "import \($0)" }.joined(separator: "\n"),
            "Calls": callees.map { api in
                let property = "private var \(Self.property(api)): (any \(api)Protocol)?"
                return "\(property) { center?.api(type: \(api)Protocol.self) }"
            }.joined(separator: "\n    "),
        ]) { $1 }
        let service =
            calls.isEmpty ? PackageResources.Service_template : PackageResources.CallingService_template
        let api = configuration.api(folder)
        let notes =
            configuration.versions == .table
            ? ["\(api)/\(Changelog.name)": Changelog.first(first, "First draft.")] : [:]
        return [
            "\(api)/Package.swift": PackageResources.ApiManifest_template,
            "\(api)/Sources/{{Api}}/{{Api}}Protocol.swift": PackageResources.Api_template,
            "\(api)/Sources/{{Api}}Fakes/{{Name}}Fake.swift": PackageResources.Fake_template,
            "\(folder)/Package.swift": PackageResources.Manifest_template,
            "\(folder)/Sources/{{Name}}/{{Module}}.swift": PackageResources.Module_template,
            "\(folder)/Sources/{{Name}}/{{Name}}Service.swift": service,
            "\(folder)/Tests/{{Name}}Tests/{{Name}}Tests.swift": PackageResources.Tests_template,
        ].reduce(into: notes) { files, file in
            files[Self.filled(file.key, values)] = Self.filled(file.value, values)
        }
    }

    /// The name of the property that returns an Api: `sdkManagerApi` for `SDKManagerApi`.
    static func property(_ api: String) -> String {
        let capitals = api.prefix(while: \.isUppercase)
        let head = capitals.count > 1 && capitals.count < api.count ? capitals.dropLast() : capitals
        return head.lowercased() + api.dropFirst(head.count)
    }

    /// A copy of an IMP's files, in which the package, its targets and the types `XxxModule`, `XxxService` and
    /// `XxxTests` have the new module's name. Files without these names keep their bytes, which need not be text.
    func alternative(
        to base: PairList.Pair, in root: TreeRoot, _ tree: Tree
    ) throws -> (files: [String: String], copies: [Change]) {
        let suffixes = "\(configuration.moduleSuffix)|Service|Tests"
        let types = try Regex("\\b\(base.name)(\(suffixes))\\b", as: (Substring, Substring).self)
            .wordBoundaryKind(.simple)
        let imports = try Regex("\\bimport \(base.name)\\b").wordBoundaryKind(.simple)
        func renamed(_ text: String) -> String { text.replacing(types) { name + $0.output.1 } }
        let versions = tree.package(base.name)?.versionLiterals ?? []
        var (files, copies): ([String: String], [Change]) = ([:], [])
        for path in root.files(in: base.folder) {
            let parts = path.dropFirst(base.folder.count).split(separator: "/").map {
                $0 == base.name ? name : renamed(String($0))
            }
            let target = ([folder] + parts).joined(separator: "/")
            let old = root.textIfAny(path)
            let version = versions.first { $0.file.path == path }
            let text = version.flatMap { old?.replacing($0, with: first) } ?? old ?? ""
            var new = renamed(text).replacing(imports, with: "import \(name)")
            if parts == ["Package.swift"] {
                new = new.replacing("\"\(base.name)\"", with: "\"\(name)\"")
            }
            if let old, old != new {
                files[target] = new
            } else {
                copies.append(.copy(path: target, from: path))
            }
        }
        return (files, copies)
    }
}
