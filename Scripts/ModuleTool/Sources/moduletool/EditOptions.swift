import ArgumentParser
import Foundation
import ModuleEdits

/// Options of the commands that change files.
struct EditOptions: ParsableArguments {
    @Flag(help: "Show what would be changed, line by line, and change nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    /// The root of the tree to edit.
    var root: HouseRoot {
        HouseRoot(tree.rootURL(), caching: tree.noCache ? .none : .user)
    }

    /// Plans an edit and applies it atomically. A dry run only prints the changes.
    func make(_ edit: some Edit) throws {
        // Recover before reading anything, because an interrupted command may have left half of its changes.
        try tree.recover()
        try root.validate()
        try Transaction.run(root: root.url, onWait: Self.sayWaiting) { transaction in
            if let recovery = transaction.recovery { Main.complain("note: \(recovery)") }
            let plan = try edit.plan(root)
            let list = ChangeList.text(plan.changes, in: root, withLines: dryRun)
            print(list, terminator: "")
            if dryRun, !plan.changes.isEmpty { return print("Nothing was changed: this was a dry run.") }
            if !plan.changes.isEmpty { try transaction.apply(plan.changes, command: edit.command) }
            print(plan.summary)
            for step in plan.next { print("Next: \(step)") }
            if plan.changes.contains(where: { $0.path == "Package.swift" }) {
                for picture in try PictureInFile.all(in: tree.rootPath()) {
                    print(
                        "Next: Update the diagram of the tree: Scripts/modules graph --write \(picture.name)")
                }
            }
        }
    }

    static func sayWaiting() {
        Main.complain("note: another command is changing this tree; waiting for it...")
    }
}
