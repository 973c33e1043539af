import ModuleKit

/// The modules that Apis may import besides Foundation: the key `api-imports` of `.modules.yml`.
extension Tree {
    /// Whether Apis may import a module.
    package func apisMayImport(_ module: String) -> Bool {
        module == "Foundation" || names.apiImports.contains { $0.module == module }
    }

    /// The libraries of the tree that Apis may import.
    package var apiLibraries: [LocalPackage] {
        names.apiImports.compactMap { package(ofModule: $0.module) }.filter(\.isLibrary).uniqued
    }

    /// The libraries of the tree from which an Api imports.
    package func apiLibraries(of api: LocalPackage) -> [LocalPackage] {
        let imported = Set(api.mainTargets.flatMap(\.imports).map(\.import.module))
        return apiLibraries.filter { library in library.targets.contains { imported.contains($0.module) } }
    }

    /// Refuses modules that Apis cannot import: those that no library of a layer below the Apis has, and no framework.
    ///
    /// No manifest lists the frameworks of the system, so the first import in any source of the tree shows that one exists.
    package func validateApiImports() throws(Diagnostic) {
        for entry in names.apiImports {
            guard let (what, why, fix) = problem(of: entry.module) else { continue }
            throw Diagnostic(.configuration, at: entry.place, what, why: why, fix: fix)
        }
    }

    private func problem(of module: String) -> (what: String, why: String, fix: String)? {
        let move =
            "Move the types that Apis share to a library in a layer below the Apis, and list its module."
        guard let owner = package(ofModule: module) else {
            let products = packages.flatMap { package in
                package.targets.flatMap(\.dependencies).filter {
                    self.package(owning: $0, of: package) == nil
                }
            }.map(\.name)
            if products.contains(module) {
                return (
                    "\(module) is a third-party module",
                    "Every caller of such an Api would have to fetch it, and its changes have no rules.", move
                )
            }
            let imported = Set(packages.flatMap(\.targets).flatMap(\.imports).map(\.import.module))
            if imported.contains(module) || !unread.isEmpty { return nil }
            let known =
                apiModules + imported.filter { package(ofModule: $0) == nil && !products.contains($0) }
            return (
                "no package declares the module \(module), and no source imports it",
                "A misspelt module would stay forbidden.",
                (Spelling.suggestion(for: module, among: known).map { "Write \($0), or remove" } ?? "Remove")
                    + " the entry until a source imports \(module)."
            )
        }
        let why = "Callers of an Api get everything that the Api imports"
        switch owner.role {
        case .imp:
            return ("\(module) belongs to the IMP \(owner.name)", why + ", and only apps link an IMP.", move)
        case .api:
            return (
                "\(module) belongs to the Api \(owner.name)", why + ", so Apis do not import each other.",
                move
            )
        case .app:
            return (
                "\(module) belongs to the app \(owner.name)", why + ", and an app is above all Apis.", move
            )
        case .other:
            return (
                "\(module) belongs to \(owner.path), which is in no layer",
                why + ", and layers order these packages.",
                "Move \(owner.path) to a layer below the Apis."
            )
        case .plain, .facade: break
        }
        guard owner.targets.contains(where: { $0.module == module && $0.kind == .regular }) else {
            return (
                "\(module) is no library of \(owner.name)", "Only libraries can be imported.",
                "List a library of \(owner.name)."
            )
        }
        guard let layer = owner.layer, let apis = layerOfApis, layer.rank >= apis.rank else { return nil }
        let below = names.layers.last { $0.rank < apis.rank && !$0.folders.isEmpty }
        return (
            "\(module) is in the layer \(layer.name), which is not below the Apis",
            why + ", and a package depends downward.",
            below.map { "Move \(owner.path) to \($0.folders[0])." }
                ?? "Add a layer below the Apis, and move \(owner.path) to it."
        )
    }

    /// The lowest layer with Apis.
    private var layerOfApis: Layer? {
        names.layers.first { $0.pairs == .apis } ?? names.layers.first { $0.pairs != .none }
    }

    /// The modules of the libraries below the Apis.
    private var apiModules: [String] {
        packages.filter { $0.isLibrary && $0.layer?.rank ?? 0 < layerOfApis?.rank ?? 0 }.flatMap(\.targets)
            .filter {
                $0.kind == .regular
            }.map(\.module)
    }
}

extension [LocalPackage] {
    /// The packages without repetitions, in their first order.
    fileprivate var uniqued: Self {
        var known: Set<Int> = []
        return filter { known.insert($0.index).inserted }
    }
}
