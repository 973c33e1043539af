import ArgumentParser
import Foundation
import ModuleKit
import ModuleScaffold
import ModuleTree

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds packages of Core and Base, such as Routes, with what they need.",
        discussion: """
            Copies the packages from the tool's own repository or, in a tree that uses exported packages, requires \
            them by URL and version in the app's manifest. The command prints the first lines of code with each \
            package. `modules check --fix` adds a package to the manifests of the targets that import it.

            Copies lie in the folders of the tool's repository, or in the folder `copies` of `new-packages` in \
            .modules.yml. `modules update` brings them to the state of a newer clone, and `modules remove` removes them.

            Examples:
              modules add Routes
              modules add Pages APIService
              modules add Routes --packages "https://github.com/acme/{name}"
            """)

    @Argument(help: "The names of the packages.")
    var names: [String]

    @OptionGroup var origin: OriginOptions

    @OptionGroup var options: EditOptions

    func run() throws { try options.make(AddPackages(names, from: origin.packages(for: options.tree))) }
}

struct Update: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the copies of packages to the state of the tool's repository.",
        discussion: """
            Start the command from a newer clone of the tool's repository. It replaces the files of the copies that \
            `init` and `add` have made, and the tool's revision in Scripts/modules. It refuses, with exit code 1, to \
            overwrite files that were changed in the tree, and lists them.

            Examples:
              Scripts/modules update --root ~/acme             in a clone of the tool's repository
              Scripts/modules update Routes --root ~/acme
            """)

    @Argument(help: "The names of the copies; by default all copies.")
    var names: [String] = []

    @OptionGroup var options: EditOptions

    func run() throws { try options.make(UpdateCopies(names, from: .copies(tool: OriginOptions.tool()))) }
}

/// Where packages come from.
struct OriginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The origin of the packages: 'copy', or an address template. By default that of the tree's ApiCenter.",
            valueName: "copy|template"))
    var packages: String?

    func packages(for tree: TreeOptions) throws -> HousePackages {
        if packages == nil,
            case .url(let url, _)? = try Configuration(root: tree.rootPath())?.uses["ApiCenter"]
        {
            return .addresses(try AddressTemplate(url.replacing("ApiCenter", with: "{name}")))
        }
        return try Self.packages(packages ?? "copy")
    }

    static func packages(_ origin: String) throws -> HousePackages {
        origin == "copy" ? .copies(tool: try tool()) : .addresses(try AddressTemplate(origin))
    }

    /// The folder of the tool in its repository.
    static func tool() throws -> String {
        guard let tool = ProcessInfo.processInfo.environment["MODULETOOL_SOURCES"] else {
            throw Diagnostic(
                .configuration, "the packages to copy are unknown.",
                why: "Only the launcher script knows their folder.",
                fix:
                    "Pass --packages \"https://github.com/acme/{name}\", or start the tool with Scripts/modules."
            )
        }
        return tool
    }
}
