import ArgumentParser

/// `modules`: reads, checks and edits a monorepo of Swift packages and module pairs.
@main
struct Modules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Reads, checks and edits a monorepo of Swift packages and module pairs.",
        subcommands: [])
}
