import ArgumentParser
import ModuleScaffold

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-module",
        abstract: "Adds a module pair: the packages NAME and NAMEApi, wired into the app.",
        discussion: """
            Creates both packages, with manifests, a protocol, a module type, an implementation and a passing \
            test, and adds the pair to the app's manifest and registrations, and to VERSIONS.md. The command \
            makes all changes or none: if it is interrupted, the next editing command undoes it. The first \
            version is 0.1.0. Before 1.0.0, a minor step may change the Api in any way.

            Examples:
              modules new-module Wallet                         a business module
              modules new-module Wallet --calls Ride PayType    one that calls two other modules
              modules new-module User --layer Common            a module that business modules share
              modules new-module Wallet --dry-run               what would change
              modules new-module PayTypeCashless --alternative-to PayType
                another IMP of PayType's Api, which begins as a copy of
                PayType; off by default: its trait replaces PayType in an app

            `modules remove NAME` removes the pair again.
            """)

    @Argument(help: "The name of the pair: letters and digits, beginning with a capital letter.")
    var name: String

    @Argument(help: .hidden, completion: .pairs)
    var otherCalls: [String] = []

    @Option(help: "The layer of the IMP, or one of its folders; by default the highest layer with pairs.")
    var layer: String?

    @Option(
        help: ArgumentHelp(
            "Pairs whose Apis the new module calls, separated by spaces or commas: each gets a property in the service.",
            valueName: "name"), completion: .pairs)
    var calls: [String] = []

    @Option(help: "Implement the Api of this pair instead of adding a new Api package.", completion: .pairs)
    var alternativeTo: String?

    @OptionGroup var options: EditOptions

    func run() throws {
        // Of `--calls Ride PayType`, the parser takes the second name for another argument. Not in `validate`, which runs
        // before the parser reports an unknown option.
        let words = CommandLine.arguments.prefix { !$0.hasPrefix("--calls") }
        if let other = otherCalls.first, calls.isEmpty || words.contains(other) {
            throw ValidationError("'\(other)' is one name too many. Add one pair at a time.")
        }
        let calls = (calls + otherCalls).flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
        try options.make(NewModule(name: name, layer: layer, calls: calls, alternativeTo: alternativeTo))
    }
}
