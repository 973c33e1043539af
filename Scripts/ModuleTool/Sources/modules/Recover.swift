import ArgumentParser
import Foundation
import ModuleEdits

/// `modules recover`: what every command that changes files does first, alone.
struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Completes or undoes a command that was interrupted.",
        discussion: """
            Every command that changes files does this first. A file that somebody changed in between is never \
            overwritten: it is named, and what to do about it.

            Example:
              modules recover
            """)

    @OptionGroup var tree: TreeOptions

    func run() throws {
        try reported {
            let root = URL(filePath: tree.rootPath(), directoryHint: .isDirectory)
            let recovery = try Transaction.recover(root: root, onWait: EditOptions.sayWaiting)
            print(recovery?.description ?? "Nothing was interrupted here.")
        }
    }
}
