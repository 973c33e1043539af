import ArgumentParser
import ModuleRemote

struct Remote: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generates the package that calls and serves a pair in another process.",
        discussion: """
            Writes the package NAMERemote into the layer that allows third-party packages. The package contains a \
            client (an IMP of the pair's Api), a service (which offers any IMP of the Api to other processes), and \
            tests. It uses RemotePairs. After changing the Api, run the command again: it writes only the \
            generated files. `bump` and `release` write them too.

            Each requirement must be async throws, and its parameters, result and error must be Codable and \
            Sendable. A result may be an AsyncThrowingStream<Value, any Error>. A declared error needs the case \
            `unreachable(String)`. A requirement whose documentation has an item `- Idempotent:` is sent again if its \
            answer is lost; others are sent at most once. If the Api cannot be remote, the command lists \
            the obstacles and writes nothing.

            Examples:
              modules remote Gate
              modules remote Gate --dry-run   what would change
              modules remove GateRemote       removes the package
            """)

    @Argument(help: "The name of the pair.", completion: .pairs)
    var name: String

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(MakeRemote(name: name))
    }
}
