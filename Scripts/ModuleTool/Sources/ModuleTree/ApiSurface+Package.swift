import Foundation
import ModuleFacts

extension ApiSurface.Changes {
    /// A package at one moment: its files, their contents by name, and what its manifest promises.
    package typealias State = (layout: PackageFiles, files: [String: Data], terms: ManifestTerms)

    /// What callers see of the difference between two states of a package.
    package init(of package: LocalPackage, from old: State, to new: State) throws {
        let fakes = package.role == .api ? package.name + LocalPackage.fakesSuffix : ""
        func target(_ name: String) -> String { String(name.prefix { $0 != "/" }) }
        func surface(_ module: String, of state: State) throws -> ApiSurface {
            let names = state.layout.compiled.filter { target($0) == module }
            let sources = names.compactMap { name in
                state.files[name].map { (state.layout.paths[name] ?? name, $0) }
            }
            let terms = module == package.name ? state.terms : nil
            return try ApiSurface(
                module: module, Dictionary(sources) { first, _ in first },
                promises: terms?.declarations ?? [], defines: terms?.defines ?? [:])
        }
        self.init()
        // A package without old sources is new and cannot break callers.
        if old.layout.compiled.isEmpty { return }
        // A caller of one module does not see what moves to another.
        let modules = Set(old.layout.compiled.union(new.layout.compiled).map(target))
        for module in modules.union([package.name]).sorted() {
            let api = module == fakes ? try surface(package.name, of: new) : nil
            add(
                try surface(module, of: old).changes(to: surface(module, of: new), importing: api),
                areFakes: module == fakes)
        }
    }
}
