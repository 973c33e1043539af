import ArgumentParser
import ModuleEdits

/// `modules new-module`: adds a pair.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-module",
        abstract: "Adds a module pair: the packages NAME and NAMEApi, wired into the app.",
        discussion: """
            Makes both packages with manifests, protocol, module type, implementation and tests that pass, and \
            enters the pair in Package.swift, VERSIONS.md and the Shell's registrations. All of it or nothing: \
            if the command is interrupted, the next one completes it. A pair that exists is left as it is.

            Examples:
              modules new-module Wallet                       a business of its own
              modules new-module Wallet --calls Ride PayType  which asks two others
              modules new-module User --layer Common          shared by several businesses
              modules new-module Wallet --dry-run             what would change
              modules new-module PayTypeCashless --alternative-to PayType
                another IMP of PayType's Api, off by default: a trait puts it in
                PayType's place

            `modules remove NAME` undoes it.
            """)

    @Argument(help: "The name of the pair: one word in letters and digits, beginning with a capital.")
    var name: String

    @Option(help: "The layer of its IMP: Business or Common.")
    var layer = NewModule.Layer.business

    @Option(
        parsing: .upToNextOption, help: "Pairs whose Apis it calls; each gets a call and a fake in the tests."
    )
    var calls: [String] = []

    @Option(help: "The pair whose Api it implements, instead of one of its own; it gets no Api package.")
    var alternativeTo: String?

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(NewModule(name: name, layer: layer, calls: calls, alternativeTo: alternativeTo))
    }
}

extension NewModule.Layer: ExpressibleByArgument {}
