import ModuleKit
import ModuleVersions

/// Generates the README of an exported package that has no README.
struct ExportedReadme {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate

    var text: String {
        let (role, api) = (package.source.role, package.source.apiName)
        // Apps depend on an IMP through its Api, unless the IMP is an alternative.
        let entry = package.api.flatMap { $0 == api ? set.package($0) : nil } ?? package
        let products = role == .imp ? [] : package.source.manifest.products.map(\.name)
        let linked = entry.imp != nil ? ExportedPackage.withImp(entry.name) : role == .imp ? entry.name : nil
        func lines(_ purpose: String, _ products: [String]) -> String {
            products.isEmpty
                ? ""
                : "// Dependencies of \(purpose):\n"
                    + products.map { ".product(name: \"\($0)\", package: \"\(entry.name)\"),\n" }.joined()
        }
        let changes =
            package.changelog.notes.isEmpty
            ? "" : "\nSee [\(Changelog.name)](\(Changelog.name)) for the changes.\n"
        // The code fence is `~~~`, because tests of READMEs check the backtick fences.
        return """
            # \(package.name)

            \(purpose)

            ~~~swift
            // Package dependencies:
            .package(url: "\(addresses.address(of: entry.name))", from: "\(entry.version)"),
            \(lines("a target that uses this package", products))\(lines("the app", [linked].compactMap(\.self)))~~~
            \(changes)
            Exported from a monorepo, where all changes are made. The tag is the version.

            """
    }

    private var purpose: String {
        let (pair, module) = (package.source.pairName, package.source.moduleType)
        switch package.source.role {
        case .imp where package.api == package.source.apiName:
            return """
                The implementation of a module. Only apps link it, through the product \
                `\(ExportedPackage.withImp(package.source.apiName))` of its Api. The Api's package describes what \(pair) \
                offers to callers and what changed.
                """
        case .imp:
            return """
                Another implementation of \(package.api ?? "an Api"). Only apps depend on it, and register its \
                `\(module)`. The Api's package describes what the module offers to callers and what changed.
                """
        case .api:
            return """
                \(pair)'s interface for other modules. Callers link `\(package.name)`, which contains only protocols. \
                The app links `\(package.name)WithImp`, which brings in a compatible implementation; the app \
                registers that implementation with `\(module)`.
                """
        case .plain, .facade, .app, .other: return "A library."
        }
    }
}
