import ModuleFacts

extension Tree {
    /// The Api that an IMP implements: its own or, for an alternative IMP, the Api whose protocol it
    /// registers.
    package func api(of imp: LocalPackage) -> LocalPackage? {
        package(imp.apiName) ?? alternative(of: imp)
    }

    /// The Api that an alternative IMP implements; nil if the package is not an alternative IMP.
    package func alternative(of imp: LocalPackage) -> LocalPackage? {
        guard imp.role == .imp, package(imp.apiName) == nil else { return nil }
        let registered = imp.sources.flatMap(\.facts.calls)
            .filter(\.kind.isRegistration).compactMap(\.type)
            .compactMap { $0.split(separator: ".").last.map(String.init) }
        for dependency in imp.manifest.dependencies where dependency.path != nil {
            guard let api = package(dependency.identity), api.role == .api else { continue }
            let protocols = api.declarations.map(\.1).filter {
                ["protocol", "typealias"].contains($0.keyword)
            }
            if protocols.contains(where: { registered.contains($0.name) }) { return api }
        }
        return nil
    }
}

extension LocalPackage {
    /// The declarations in the files of the main targets.
    package var declarations: [(SourceFile, SourceFacts.Declaration)] {
        sources.flatMap { file in file.facts.declarations.map { (file, $0) } }
    }
}
