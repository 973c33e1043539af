/// Reads the targets of an Xcode project from its objects.
struct XcodeProjectReader {
    private let objects: XcodeObjects
    private let positions: [String: Position]
    private let root: String
    /// The folder to which the project's paths are relative, as an absolute path.
    private let folder: String
    /// The identifiers of the targets, by the references to their products.
    private let products: [String: String]
    /// The synchronised folders with exceptions.
    private let exceptional: [(folder: String, sets: [XcodeObjects.Object])]

    /// The paths of the project's files and groups by identifier, relative to the root of the tree.
    let paths: [String: String]
    private(set) var manifest: Manifest

    init(_ objects: XcodeObjects, _ bytes: [UInt8], at path: String, root: String) {
        (self.objects, self.root) = (objects, root)
        positions = objects.positions(in: bytes)
        let project = objects[objects.rootObject]
        let (parent, name) = PathText.split(path)
        folder = PathText.join(PathText.join(root, parent), project?.projectDirPath ?? "")
        paths = objects.paths(below: folder).compactMapValues { PathText.relative($0, from: "", in: root) }
        products = Dictionary(
            objects.all(project?.targets).compactMap { id, target in
                target.productReference.map { ($0, id) }
            }, uniquingKeysWith: { first, _ in first })
        exceptional = paths.compactMap { id, folder in
            objects[id]?.exceptions.map { (folder, objects.all($0).map(\.object)) }
        }
        manifest = Manifest(name: name)
    }

    mutating func read() -> [XcodeProject.Target] {
        objects.all(objects[objects.rootObject]?.targets).map { id, object in
            let name = object.name ?? id
            let product = object.productReference.flatMap { objects[$0] }.flatMap(stem)
            manifest.targets.append(
                .init(
                    name: name, kind: Self.kind(object.productType ?? ""), path: nil, exclude: [],
                    sources: nil,
                    dependencies: uses(of: object).filter { $0.name != name || $0.package != nil },
                    position: position(id)))
            manifest.products += Set([name, product ?? name]).sorted().map {
                .init(name: $0, targets: [name])
            }
            return files(of: object, id)
        }
    }

    private static func kind(_ productType: String) -> Manifest.TargetKind {
        if productType.contains("test") { return .test }
        let libraries = ["framework", "library", "bundle"]
        let isLibrary = productType.isEmpty || libraries.contains { productType.contains("type." + $0) }
        return isLibrary ? .regular : .executable
    }

    private func position(_ id: String) -> Position { positions[id] ?? Position() }

    /// The name of a file without its extension.
    private func stem(_ file: XcodeObjects.Object) -> String? {
        file.path.map { String(PathText.split($0).name.prefix { $0 != "." }) }
    }

    /// The name that sources import. A setting with a variable, such as `$(TARGET_NAME)`, is nearly always the name
    /// of the target.
    private func module(of target: XcodeObjects.Object, _ id: String) -> String {
        let settings = objects.all(objects[target.buildConfigurationList]?.buildConfigurations).compactMap {
            $0.object.buildSettings
        }
        let names = settings.compactMap(\.productModuleName) + settings.compactMap(\.productName)
        return ModuleIdentifier.of(names.first { !$0.contains("$") } ?? target.name ?? id)
    }

    // MARK: Files

    private func files(of target: XcodeObjects.Object, _ id: String) -> XcodeProject.Target {
        var found = XcodeProject.Target(module: module(of: target, id))
        for (_, phase) in objects.all(target.buildPhases) {
            for file in objects.all(phase.files).compactMap(\.object.fileRef) {
                // A group of localised files stands for its members.
                let members = objects[file]?.isa == "PBXVariantGroup" ? objects[file]?.children ?? [] : [file]
                let files = members.compactMap { paths[$0] }
                found.paths.formUnion(files)
                if phase.isa == "PBXSourcesBuildPhase" { found.sources.formUnion(files) }
            }
        }
        found.folders = Set((target.fileSystemSynchronizedGroups ?? []).compactMap { paths[$0] })
        found.paths.formUnion(found.folders)
        // An exception excludes a file from a target that has the folder, and adds the file to any other target.
        for (folder, sets) in exceptional {
            for set in sets where set.target == id {
                let files = (set.membershipExceptions ?? []).map { PathText.join(folder, $0) }
                if found.folders.contains(folder) {
                    found.excluded.formUnion(files)
                } else {
                    found.paths.formUnion(files)
                    found.sources.formUnion(files)
                }
            }
        }
        return found
    }

    // MARK: Dependencies

    private mutating func uses(of target: XcodeObjects.Object) -> [Manifest.TargetDependency] {
        var uses: [Manifest.TargetDependency] = []
        for (_, phase) in objects.all(target.buildPhases) {
            for (id, file) in objects.all(phase.files) {
                guard let reference = file.fileRef, let linked = objects[reference] else {
                    uses += product(file.productRef)
                    continue
                }
                if let own = products[reference] {
                    uses += use(objects[own]?.name, at: id)
                } else if let remote = linked.remoteRef {
                    uses += self.target(behind: remote, named: stem(linked), at: id)
                } else if linked.sourceTree == "BUILT_PRODUCTS_DIR" {
                    uses += use(stem(linked), at: id)
                }
            }
        }
        for (id, dependency) in objects.all(target.dependencies) {
            uses += product(dependency.productRef)
            uses +=
                dependency.target == nil
                ? self.target(behind: dependency.targetProxy, named: nil, at: id)
                : use(objects[dependency.target]?.name, at: id)
        }
        for id in target.packageProductDependencies ?? [] { uses += product(id) }
        var seen: Set<[String?]> = []
        return uses.filter { seen.insert([$0.name, $0.package]).inserted }
    }

    /// A dependency on a name; empty if there is no name.
    private func use(_ name: String?, of package: String? = nil, at id: String) -> [Manifest.TargetDependency]
    {
        name.map { [.init(name: $0, package: package, traits: [], position: position(id))] } ?? []
    }

    /// A product of a package.
    private mutating func product(_ id: String?) -> [Manifest.TargetDependency] {
        guard let id, let product = objects[id] else { return [] }
        let reference = objects[product.package]
        let package =
            reference?.relativePath.map {
                manifest.depend(on: PathText.join(folder, $0), at: position(product.package ?? id))
            } ?? reference?.repositoryURL.map(PackageIdentity.of)
        // The name of a plugin begins with `plugin:`.
        return use(product.productName?.split(separator: ":").last.map(String.init), of: package, at: id)
    }

    /// A target of this project or of another one.
    private mutating func target(
        behind proxy: String?, named name: String?, at id: String
    ) -> [Manifest.TargetDependency] {
        guard let proxy = objects[proxy] else { return [] }
        let project = proxy.containerPortal.flatMap { paths[$0] }.map {
            manifest.depend(on: PathText.join(root, $0), at: position(id))
        }
        return use(proxy.remoteInfo ?? name, of: project, at: id)
    }
}
