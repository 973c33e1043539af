import ArgumentParser
import Foundation
import ModuleEdits
import ModuleRules

struct EditOptions: ParsableArguments {
    @Flag(help: "Show what would be changed, line by line, and change nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    var root: HouseRoot {
        get throws { try HouseRoot(tree.rootURL(), caching: tree.noCache ? .none : .user) }
    }

    /// Plans an edit and applies it atomically. A dry run only prints the changes.
    func make(_ edit: some Edit) throws {
        if dryRun {
            try tree.refuseInterrupted()
            try edit.validate(root)
            let plan = try self.plan(edit)
            return print(plan.changes.isEmpty ? plan.summary : "Nothing was changed: this was a dry run.")
        }
        // An incomplete tree is rejected before the lock's folder is created in it. A half-edited tree is restored
        // first, because its configuration may name files that do not exist yet.
        let isPending = Transaction.isPending(root: tree.rootURL())
        if !isPending { try edit.validate(root) }
        let transaction = try Transaction(root: tree.rootURL(), onWait: Self.sayWaiting)
        if let undone = transaction.undone { Main.complain("note: \(Self.sentence(undone))") }
        if isPending { try edit.validate(root) }
        let plan = try self.plan(edit)
        try transaction.apply(plan.changes, command: edit.command) { try redrawnDiagrams(after: plan) }
        print(Main.named(plan.summary))
        for step in plan.next { print("Next: \(Main.named(step))") }
    }

    /// The READMEs with a diagram of the tree, after an edit that added or removed packages.
    private func redrawnDiagrams(after plan: EditPlan) throws -> [Change] {
        let pictures = try diagrams(changedBy: plan)
        if pictures.isEmpty { return [] }
        let text = GraphText.tree(try GraphView(RuleContext(try tree.read(isEdited: true))))
        return try pictures.compactMap { name, picture in
            try picture.text(showing: text, shownAs: name).map { .write(path: name, contents: $0) }
        }
    }

    private func diagrams(changedBy plan: EditPlan) throws -> [(name: String, picture: PictureInFile)] {
        let isOtherTree = plan.changes.contains { change in
            if case .removeFolder = change { true } else { change.path.hasSuffix("Package.swift") }
        }
        guard isOtherTree else { return [] }
        return try PictureInFile.all(in: tree.rootPath())
    }

    /// Plans an edit, and prints its changes.
    private func plan(_ edit: some Edit) throws -> EditPlan {
        let plan = try edit.plan(root)
        print(ChangeList.text(plan.changes, in: try root, withLines: dryRun), terminator: "")
        for (name, _) in try diagrams(changedBy: plan) { print("~ \(name): the diagram of the tree") }
        return plan
    }

    /// The message that an interrupted command was undone.
    static func sentence(_ command: String) -> String {
        "'\(command)' was interrupted; its changes have been undone."
    }

    static func sayWaiting() {
        Main.complain("note: another command is changing this tree; waiting for it...")
    }
}
