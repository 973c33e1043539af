import Foundation
import Testing

@Suite("The Shell, run as a process")
struct ShellTests {
    @Test("shows the modules with their versions, each calling both others, and the launch")
    func everything() throws {
        let run = try Shell.run()
        #expect(run.status == 0)
        #expect(run.errors == "")
        let sections = run.output.components(separatedBy: "\n\n")
        #expect(sections.count == 3)
        for name in ["A", "B", "C"] {
            let registered = try Regex("  Module\(name) \\d+\\.\\d+\\.\\d+  registered in \\d+\\.\\d\\d ms")
            #expect(sections[0].contains(registered))
            for other in ["A", "B", "C"] where other != name {
                let call =
                    "  Module\(name) -> Module\(other)ApiProtocol  \"I am Module\(other).\"\n"
                    + "          Module\(name)/Module\(name)Service.swift:"
                #expect(sections[1].contains(call))
            }
            #expect(sections[2].contains("  Module\(name) launched in "))
        }
    }

    @Test("is plain when piped, and fits a terminal of 80 columns")
    func plain() throws {
        let run = try Shell.run()
        #expect(!run.output.contains("\u{1B}"))
        for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test("gives machines one JSON object, with the versions of VERSIONS.md and the places of the calls")
    func json() throws {
        let run = try Shell.run("--json")
        #expect(run.status == 0)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.modules.map(\.name) == ["ModuleA", "ModuleB", "ModuleC"])
        #expect(report.calls.count == 6)
        for call in report.calls {
            #expect(call.result == "I am \(call.api.prefix(7)).")
            #expect(!call.isAbsent)
            // The line is one of that file on which that Api is asked for.
            let source = try Tree.text("Packages/Business/\(call.caller)/Sources/\(call.file)")
            let line = source.components(separatedBy: "\n")[call.line - 1]
            #expect(line.contains("api(type: \(call.api.split(separator: ".")[1]).self)"))
        }
        #expect(report.launch.map(\.outcome) == ["succeeded", "succeeded", "succeeded"])
        let table = try Tree.versions()
        #expect(Dictionary(uniqueKeysWithValues: report.modules.map { ($0.name, $0.version) }) == table)
    }

    @Test("shows the calls of the modules it is given, in the app's order")
    func callers() throws {
        let run = try Shell.run("--json", "ModuleC", "ModuleB")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.calls.map(\.caller) == ["ModuleB", "ModuleB", "ModuleC", "ModuleC"])
    }

    @Test("explains itself", arguments: ["--help", "-h"])
    func help(option: String) throws {
        let run = try Shell.run(option)
        #expect(run.status == 0)
        for part in [
            "USAGE", "--json", "ModuleA, ModuleB, ModuleC", "EXIT CODES", "--disable-default-traits",
        ] {
            #expect(run.output.contains(part))
        }
    }

    @Test(
        "refuses what it does not know with exit code 2, and says what there is",
        arguments: [
            (["--jsn"], "unknown option '--jsn'. There are --json and --help."),
            (["ModuleX"], "no module is named 'ModuleX'."),
            (["ModuleA", "modulea"], "no module is named 'modulea'."),
            ([""], "no module is named ''."),
            (["open"], "open takes one URL, and 0 were given."),
            (["open", "app://a", "app://b"], "open takes one URL, and 2 were given."),
        ])
    func refused(arguments: [String], message: String) throws {
        let run = try Shell.run(arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Shell: \(message)"))
        #expect(run.errors.contains("Try: swift run Shell"))
    }

    @Test("opens a URL as a call from outside, and prints what the route answers")
    func open() throws {
        let run = try Shell.run("open", "app://moduleA/describe")
        #expect(run.status == 0)
        #expect(run.output == "I am ModuleA.\n")
        let json = try Shell.run("open", "APP://moduleA//describe/?x=1", "--json")
        #expect(json.output.contains("\"value\" : \"I am ModuleA.\""))
    }

    @Test(
        "says why it does not open a URL, with exit code 1",
        arguments: [
            ("app://moduleA/describ", "app://moduleA/describ"),
            ("app://modulea/describe", "app://modulea/describe"),
            ("app://moduleA/describe?x=%4", "byte 25"),
            ("", "empty"),
        ])
    func notOpened(url: String, part: String) throws {
        let run = try Shell.run("open", url)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Shell: "))
        #expect(run.errors.contains(part), "\(run.errors)")
    }

    @Test("has the registrations that the root manifest lists")
    func registrations() throws {
        let check = try Process.run("Scripts/registrations", "--check", in: Tree.root)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    private struct Report: Decodable {
        struct Module: Decodable {
            let name: String
            let version: String
        }
        struct Call: Decodable {
            let caller, api, file: String
            let line: Int
            let isAbsent: Bool
            let result: String?
        }
        struct Part: Decodable {
            let outcome: String
        }
        let modules: [Module]
        let calls: [Call]
        let launch: [Part]
    }
}
