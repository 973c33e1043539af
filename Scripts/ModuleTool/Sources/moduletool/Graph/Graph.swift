import ArgumentParser
import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the packages of the tree in layers, with their dependencies.",
        discussion: """
            Cycles and dependencies that break a rule about pairs or layers are red. A package with more targets than \
            the tree has packages is drawn as its targets; in the HTML page, every package can be folded and unfolded.

            Examples:
              modules graph                               a Mermaid diagram
              modules graph --format html > tree.html     an interactive page that works offline
              modules graph --focus Ride                  Ride, its callers and its dependencies
              modules graph --write README.md             update the diagram in the file
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, html
    }

    @Option(help: "mermaid or html.")
    var format = Format.mermaid

    @Option(
        help: ArgumentHelp("Draw only this package, pair or target and its neighbours.", valueName: "name"),
        completion: .packages)
    var focus: String?

    @Option(
        help: ArgumentHelp(
            "Update the diagram of the tree in a Markdown file.", valueName: "file"))
    var write: String?

    @OptionGroup var tree: TreeOptions

    func validate() throws {
        if write != nil, focus != nil || format != .mermaid {
            throw ValidationError(
                "--write works on the Mermaid diagram of the whole tree, so it cannot be combined with --focus or "
                    + "--format.")
        }
    }

    func run() throws {
        if let write { return try tree.make(DrawTree(file: write, tree: tree)) }
        let context = RuleContext(try tree.read(isLenient: true))
        let view = try GraphView(context, focus: focus)
        Self.sayUnread(context.tree)
        let text =
            switch format {
            case .mermaid: focus == nil ? Mermaid(view).overview() : Mermaid(view).everything()
            case .html: try GraphPage(title: context.tree.name, view: view).html()
            }
        print(text, terminator: "")
    }

    fileprivate static func sayUnread(_ tree: Tree) {
        for manifest in tree.unread {
            Main.complain(
                "note: \(manifest.place) cannot be read, so the package is missing: \(manifest.reason)")
        }
    }
}

/// Updates the diagram of the tree in a Markdown file.
private struct DrawTree: Edit {
    let file: String
    let tree: TreeOptions

    var command: String { "graph --write \(file)" }

    /// Accepts every tree.
    func validate(_ root: HouseRoot) {}

    func plan(_ root: HouseRoot) throws -> EditPlan {
        let tree = try self.tree.read(isLenient: true)
        Graph.sayUnread(tree)
        // A relative path starts at the root, not at the current folder.
        let path = URL(filePath: file, relativeTo: URL(filePath: tree.root + "/")).standardizedFileURL
            .pathText
        guard path.hasPrefix(tree.root + "/") else {
            throw Diagnostic(
                .configuration, at: path, "is outside the tree",
                why: "an edit changes only files of its tree",
                fix: "print the diagram with: Scripts/modules graph")
        }
        let picture = try PictureInFile(String(path.dropFirst(tree.root.count + 1)), in: tree.root)
        let change = try picture.change(showing: RuleContext(tree))
        return EditPlan(
            "\(file): the diagram was " + (change == nil ? "up to date; nothing was changed" : "updated"),
            changes: [change].compactMap(\.self))
    }
}
