import ArgumentParser
import Foundation
import ModuleEdits

/// `modules recover`: what every command but the checks does first, alone.
struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Completes or undoes a command that was interrupted.",
        discussion: """
            Every command does this first, but for the checks, which refuse a tree in between. A file that \
            somebody changed since is never overwritten: it is named, and what to do about it.

            Example:
              modules recover
            """)

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let recovery = try Transaction.recover(root: tree.rootURL(), onWait: EditOptions.sayWaiting)
        print(recovery?.description ?? "Nothing was interrupted here.")
    }
}
