import ModuleVersions

/// What an outsider reads first: how to depend on the package, and what changed in it.
struct ExportedReadme {
    let package: ExportedPackage
    let addresses: AddressTemplate

    /// The README of a package that has none.
    var text: String {
        "# \(package.name)\n\n\(purpose)\n\n" + (package.source.role == .imp ? "" : usage)
            + "Exported from a monorepo, with the version as its tag: changes are made there.\n"
    }

    private var purpose: String {
        let pair = package.source.pairName
        return switch package.source.role {
        case .imp:
            """
            The implementation of a module. Nobody but an app depends on it, and an app has it by its Api's product \
            `\(pair)ApiWithImp`: what \(pair) does for callers, and what changed, the Api's package says.
            """
        case .api:
            """
            What other modules may ask of \(pair): protocols alone. An app that is to have \(pair) itself links the \
            product `\(package.name)WithImp` instead, which brings the implementation that this version works with, \
            or a later one, and has `\(pair)Module` to register it.
            """
        case .plain, .facade, .app, .other: "A library. What changed is in [CHANGES.md](CHANGES.md)."
        }
    }

    private var usage: String {
        let address = addresses.address(of: package.name)
        var text = """
            ```swift
            // dependencies of the package:
            .package(url: "\(address)", from: "\(package.version)"),
            // dependencies of a target that calls it:
            .product(name: "\(package.name)", package: "\(package.name)"),

            """
        if package.imp != nil {
            text += """
                // dependencies of the app:
                .product(name: "\(package.name)WithImp", package: "\(package.name)"),

                """
        }
        return text + "```\n\n"
    }

    /// The change notes, newest first.
    var changes: String {
        "# Changes\n"
            + package.notes.map { "\n## \($0.version)\n" + ($0.text.isEmpty ? "" : "\n\($0.text)\n") }
            .joined()
    }
}
