import ModuleTree
import ModuleVersions

/// Generates the README of an exported package that has no README.
struct ExportedReadme {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate

    var text: String {
        let parts = [
            "# \(package.name)", purpose, usage,
            "Exported from a monorepo, where all changes are made. The tag is the version.",
        ]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var purpose: String {
        let pair = package.source.pairName
        switch package.source.role {
        case .imp where package.api == package.source.apiName:
            return """
                The implementation of a module. Only apps link it, through the product `\(ExportedPackage.withImp(package.source.apiName))` of its Api. \
                The Api's package describes what \(pair) offers to callers and what changed.
                """
        case .imp:
            return """
                Another implementation of \(package.api ?? "an Api"). Only apps depend on it, and register its \
                `\(package.source.moduleType)`. The Api's package describes what the module offers to callers and what changed.
                """
        case .api:
            return """
                \(pair)'s interface for other modules. Callers link `\(package.name)`, which contains only protocols. \
                The app links `\(package.name)WithImp`, which brings in a compatible implementation; the app \
                registers that implementation with `\(package.source.moduleType)`.
                """
        case .plain, .facade, .app, .other: return "A library."
        }
    }

    /// The installation instructions. The code fence is `~~~`, because tests of READMEs check the backtick fences.
    private var usage: String {
        // Apps depend on an IMP through its Api, unless the IMP is an alternative.
        let entry = package.api.flatMap { $0 == package.source.apiName ? set.package($0) : nil } ?? package
        let address = addresses.address(of: entry.name)
        var lines = [
            "// Package dependencies:", ".package(url: \"\(address)\", from: \"\(entry.version)\"),",
        ]
        if package.source.role != .imp {
            let products = package.source.manifest.products.map { product($0.name, of: entry) }
            lines += ["// Dependencies of a target that uses this package:"] + products
        }
        if entry.imp != nil {
            lines += ["// Dependencies of the app:", product(ExportedPackage.withImp(entry.name), of: entry)]
        } else if package.source.role == .imp {
            lines += ["// Dependencies of the app:", product(entry.name, of: entry)]
        }
        let changes =
            package.notes.isEmpty
            ? "" : "\n\nSee [\(Changelog.name)](\(Changelog.name)) for the changes."
        return "~~~swift\n" + lines.joined(separator: "\n") + "\n~~~" + changes
    }

    private func product(_ name: String, of package: ExportedPackage) -> String {
        ".product(name: \"\(name)\", package: \"\(package.name)\"),"
    }
}
