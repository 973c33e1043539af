import ArgumentParser
import Foundation
import ModuleEdits
import ModuleFocus
import ModuleKit

struct EditOptions: ParsableArguments {
    @Flag(help: "Show what would be changed, line by line, and change nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    /// Plans an edit and applies it atomically. A dry run only prints the changes.
    func make(_ edit: some Edit) throws { try tree.make(edit, isDryRun: dryRun) }

    /// The message that an interrupted command was undone.
    static func sentence(_ command: String) -> String {
        "'\(command)' was interrupted; its changes have been undone."
    }

    static func sayWaiting() {
        Main.complain("note: another command is changing this tree; waiting for it...")
    }
}

extension TreeOptions {
    private var treeRoot: TreeRoot {
        get throws { try TreeRoot(rootURL(), caching: noCache ? .none : .user) }
    }

    /// Plans an edit and applies it atomically. A dry run only prints the changes.
    func make(_ edit: some Edit, isDryRun: Bool = false) throws {
        Interruption.setPlanning(true)
        if isDryRun {
            try refuseInterrupted()
            try edit.validate(treeRoot)
            let plan = try plan(edit, isDryRun: true)
            return print(plan.changes.isEmpty ? plan.summary : "Nothing was changed: this was a dry run.")
        }
        let plan = try apply(edit)
        print(Main.named(plan.summary))
        for step in plan.next { print("Next: \(Main.named(step))") }
        renewFocus()
    }

    /// Plans and makes an edit. The tree's lock ends with this call, because ``renewFocus()`` takes the lock itself.
    private func apply(_ edit: some Edit) throws -> EditPlan {
        // An incomplete tree is rejected before the lock's folder is created in it. A half-edited tree is restored
        // first, because its configuration may name files that do not exist yet.
        let isPending = Transaction.isPending(root: rootURL())
        if !isPending { try edit.validate(treeRoot) }
        let transaction = try Transaction(root: rootURL(), onWait: EditOptions.sayWaiting)
        if let undone = transaction.undone { Main.complain("note: \(EditOptions.sentence(undone))") }
        if isPending { try edit.validate(treeRoot) }
        let plan = try plan(edit, isDryRun: false)
        try transaction.apply(plan.changes, command: edit.command)
        return plan
    }

    /// Makes the package of `modules focus` again, if there is one, or deletes it if all its pairs were removed. An
    /// edit succeeds without it.
    private func renewFocus() {
        let folder = FocusFolder(root: rootURL())
        do {
            guard try !folder.arguments().isEmpty else { return }
            _ = try makeFocus(isAfterEdit: true)
        } catch {
            let diagnostic = error as? Diagnostic
            let place = diagnostic.map { $0.place.path.isEmpty ? "" : $0.place.path + " " } ?? ""
            let what = place + (diagnostic?.what ?? error.localizedDescription)
            let isDeleted = (try? folder.arguments()) == []
            Main.complain("note: " + (isDeleted ? what : "\(FocusFolder.path) is outdated, because \(what)"))
            let fix = diagnostic.flatMap { $0.fix.contains("modules focus") ? $0.fix : nil }
            Main.complain(Main.named("  fix:  " + (fix ?? "Correct that, and run Scripts/modules focus.")))
        }
    }

    /// Plans an edit, and prints its changes.
    private func plan(_ edit: some Edit, isDryRun: Bool) throws -> EditPlan {
        let plan = try edit.plan(treeRoot)
        print(ChangeList.text(plan.changes, in: try treeRoot, withLines: isDryRun), terminator: "")
        return plan
    }
}
