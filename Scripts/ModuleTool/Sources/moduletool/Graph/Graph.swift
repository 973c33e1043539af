import ArgumentParser
import Foundation
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
        let context = RuleContext(try tree.read(isLenient: true))
        for manifest in context.tree.unread {
            Main.complain(
                "note: \(manifest.place) cannot be read, so the package is missing: \(manifest.reason)")
        }
        var view = try GraphView(context)
        if let write { return try put(view, into: write, in: context.tree) }
        if let focus { try view.focus(on: focus) }
        switch format {
        case .mermaid:
            print(focus == nil ? GraphText.tree(view) : GraphText.mermaid(view), terminator: "")
        case .html:
            print(try GraphPage(title: context.tree.name, view: view).html(), terminator: "")
        }
    }

    private func put(_ view: GraphView, into file: String, in tree: Tree) throws {
        // A relative path starts at the root, not at the current folder.
        let path = URL(filePath: file, relativeTo: URL(filePath: tree.root + "/")).pathText
        let picture = try PictureInFile(path: path, shownAs: file)
        let isNew = try picture.write(GraphText.tree(view), shownAs: file)
        print(
            "\(file): "
                + (isNew ? "the diagram was updated" : "the diagram was up to date; nothing was changed"))
    }
}
