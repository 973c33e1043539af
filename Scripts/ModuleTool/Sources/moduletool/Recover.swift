import ArgumentParser
import Foundation
import ModuleEdits

/// `modules recover`: completes or undoes an interrupted command, and does nothing else.
struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Completes or undoes a command that was interrupted.",
        discussion: """
            Every command except the checks does this first; the checks refuse a half-edited tree. A file that \
            somebody changed after the interruption is never overwritten: an error names the file and says \
            what to do.

            Example:
              modules recover
            """)

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let recovery = try Transaction.recover(root: tree.rootURL(), onWait: EditOptions.sayWaiting)
        print(recovery?.description ?? "There is no interrupted command in this tree.")
    }
}
