import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Adds packages of Core and Base with what they need: `modules add Routes Pages`.
package struct AddPackages: Edit {
    let names: [String]
    let origin: HousePackages

    package init(_ names: [String], from origin: HousePackages) {
        (self.names, self.origin) = (names, origin)
    }

    package var command: String { "add \(names.joined(separator: " "))" }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let (tree, known) = (try root.tree(), try origin.names())
        for name in names where !known.isEmpty && !known.contains(name) {
            throw Diagnostic(
                .configuration, "\(name) is not a package that can be added.",
                why: "The packages come from Core and Base of this tool's repository.",
                fix: Spelling.choice(for: name, among: known))
        }
        let new = names.filter { tree.package($0) == nil }
        guard !new.isEmpty else {
            return EditPlan("This tree already has \(names.joined(separator: ", ")).")
        }
        let packages = try origin.packages(new, for: { _ in command }, at: { root.place(of: $0, tree) })
        if let path = packages.files.keys.sorted().first(where: root.exists) {
            throw Diagnostic(
                .configuration, at: path, "this file already exists.",
                why: "This command does not replace files.",
                fix: "Move it away, and run add again.")
        }
        try root.refuseIgnored(packages.files.keys)
        var versions = try root.versionsFile()
        for (name, version) in packages.versions {
            versions = versions.with(.init(name: name, version: version))
        }
        var (changes, required) = (Change.writing(packages.files), [String]())
        var lists = try root.pairLists()
        for (name, source) in packages.sources.sorted(by: { $0.key < $1.key }) {
            guard case .url(_, let version) = source else { continue }
            required.append("\(name) \(version)")
            for index in lists.indices { try lists[index].declare(name, source) }
        }
        if !required.isEmpty { changes += try root.changes(lists, tree) }
        if versions != (try root.versionsFile()) {
            changes += root.changes(versions)
        }
        return EditPlan(
            required.isEmpty
                ? "Copied \(packages.copies.sorted().joined(separator: ", "))."
                : "Required \(required.joined(separator: ", ")).",
            changes: changes,
            next: new.compactMap { Self.firstLines[$0] } + [
                "Import the new packages where you need them, and complete the manifests: Scripts/modules check --fix"
            ])
    }

    /// The first lines of code with a package.
    static let firstLines = [
        "APIService": """
        Where the app starts, register a service for the modules:
            let network = APIService()
            center.register(APIService.self) { network }
        """,
        "Mediator": """
        Where the app starts, add a mediator to the routes' table of links:
            let mediator = Mediator(on: routes.table)
        """,
        "Pages": """
        In a module, answer a link with a page:
            .route(CartRoute.main, from: .outside, on: MainActor.shared) { _ in CartPage() }
        """,
        "Providers": """
        Where the app starts, register a list for the providers:
            let loggers = Providers<LoggerApiProtocol>()
            center.register(Providers<LoggerApiProtocol>.self) { loggers }
        """,
        "Routes": """
        Where the app starts, open links through a table, in which Routes finds them:
            let links = LinkTable()
            let routes = Routes(on: links)
            let app = try ModularApp(Registrations.modules, center: center, links: AppLinks(links))
        """,
        "Storage": """
        Where the app starts, register a storage for the modules:
            let storage = try Storage(
                folder: FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
                    .appending(path: "Acme"))
            center.register(Storage.self) { storage }
        """,
    ]
}

extension TreeRoot {
    /// The folder of a package in this tree, given its folder in the tool's repository, and whether it exists.
    func place(of source: String, _ tree: Tree) -> (folder: String, exists: Bool) {
        let name = PathText.split(source).name
        if let package = tree.package(name) { return (package.path, true) }
        return (configuration.newPackages.copies.map { "\($0)/\(name)" } ?? source, false)
    }
}
