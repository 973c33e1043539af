import ArgumentParser
import Foundation
import ModuleEdits

struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Undoes a command that was interrupted.",
        discussion: """
            Every editing command does this first; all other commands refuse a half-edited tree. A file that \
            somebody changed after the interruption is never overwritten: an error names the file and says \
            what to do.

            Example:
              modules recover
            """)

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let root = tree.rootURL()
        guard Transaction.hasRemains(root: root) else {
            return print("There is no interrupted command in this tree.")
        }
        let undone = try Transaction(root: root, onWait: EditOptions.sayWaiting).undone
        print(
            undone.map(EditOptions.sentence)
                ?? "The interrupted command had not changed the tree yet; its temporary files have been removed."
        )
    }
}
