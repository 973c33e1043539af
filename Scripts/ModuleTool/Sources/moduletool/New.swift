import ArgumentParser
import ModuleEdits

/// `modules new-module`: adds a module pair.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-module",
        abstract: "Adds a module pair: the packages NAME and NAMEApi, wired into the app.",
        discussion: """
            Creates both packages, with manifests, a protocol, a module type, an implementation and passing \
            tests, and adds the pair to Package.swift, VERSIONS.md and the Shell's registrations. The command \
            makes all changes or none: if it is interrupted, the next command completes or undoes it. An \
            existing pair is left unchanged.

            Examples:
              modules new-module Wallet                       a business module
              modules new-module Wallet --calls Ride PayType  one that calls two other modules
              modules new-module User --layer Common          a module that business modules share
              modules new-module Wallet --dry-run             what would change
              modules new-module PayTypeCashless --alternative-to PayType
                another IMP of PayType's Api, off by default: its trait
                replaces PayType in an app

            `modules remove NAME` removes the pair again.
            """)

    @Argument(help: "The name of the pair: letters and digits, beginning with a capital letter.")
    var name: String

    @Option(help: "The layer of the IMP: Business or Common.")
    var layer = NewModule.Layer.business

    @Option(
        parsing: .upToNextOption,
        help: "Pairs whose Apis the new module calls: each gets a call in the code and a fake in the tests."
    )
    var calls: [String] = []

    @Option(help: "Implement the Api of this pair instead of adding a new Api package.")
    var alternativeTo: String?

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(NewModule(name: name, layer: layer, calls: calls, alternativeTo: alternativeTo))
    }
}

extension NewModule.Layer: ExpressibleByArgument {}
