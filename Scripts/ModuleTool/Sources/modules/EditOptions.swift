import ArgumentParser
import Foundation
import ModuleEdits

/// What the commands have in common that change files.
struct EditOptions: ParsableArguments {
    @Flag(help: "Show what would be changed, line by line, and change nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    /// The root of the tree.
    var root: HouseRoot {
        HouseRoot(tree.rootURL(), caching: tree.noCache ? .none : .user)
    }

    /// Plans an edit and makes it, all of it or nothing.
    func make(_ edit: some Edit) throws {
        // Before anything is looked at: what stands there now may be half of another command.
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
            if plan.changes.contains(where: { $0.path == "Package.swift" }), isPictured {
                print("Next: Draw the README's picture anew: Scripts/modules graph --write README.md")
            }
        }
    }

    /// Whether the README has a picture of the tree.
    private var isPictured: Bool {
        let data = FileManager.default.contents(atPath: tree.rootPath() + "/README.md") ?? Data()
        return String(decoding: data, as: UTF8.self).contains(PictureInFile.mark)
    }

    static func sayWaiting() {
        Main.complain("note: another command is changing this tree; waiting for it...")
    }
}
