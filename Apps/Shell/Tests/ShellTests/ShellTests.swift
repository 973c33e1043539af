import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The Shell, run as a process")
struct ShellTests {
    @Test(
        "Without arguments, the Shell shows the data folder, the modules and the day as plain text in 80 columns"
    )
    func everything() throws {
        let data = try TemporaryFolder(), run = try Shell.run(data: data)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.hasPrefix("Data    \(data.path)\n        The next run continues with this data."))
        let sections = run.output.components(separatedBy: "\n\n").dropFirst().map(\.self)
        #expect(sections.map { $0.prefix { $0 != "\n" } } == ["Modules", "The day"])
        for name in try Tree.versions().keys where name != "PayTypeCashless" {
            let time = "(<0\\.1|[\\d.]+) m?s"
            let line = try Regex(
                "\n  \(name) +\\d+\\.\\d+\\.\\d+  prepared in \(time), launched in \(time)")
            #expect(sections[0].contains(line))
        }
        #expect(sections[0].contains("\n  PayTypeCashless left out of this build\n"))
        #expect(sections[1].hasPrefix("The day\n  1. The modules call each other\n    ModuleA hears: "))
        for name in ["A", "B", "C"] {
            let others = ["A", "B", "C"].filter { $0 != name }
            let answers = others.map { "\"I am Module\($0).\"" }.joined(separator: ", ")
            let calls = others.map {
                "Module\(name) -> Module\($0)Api +description\($0.suffix(1))\\(\\) = “I am Module\($0)\\.”"
            }
            for part in ["    Module\(name) hears: \(answers)\n"] + calls {
                #expect(try sections[1].contains(Regex(part)), "\(part)")
            }
        }
        #expect(sections[1].contains("\n  3. Log in\n    Refused. The name or the password is wrong;"))
        #expect(
            try sections[1].contains(Regex("\n      Ride -> JourneyApi +record\\(North Gate - Museum\\)\n")))
        #expect(sections[1].contains(/\n      journey_vc -> Journey +by route\n/))
        #expect(!run.output.contains("\u{1B}"))
        // The line with the path of the folder may be longer.
        let long = run.output.split(separator: "\n").filter { !$0.hasPrefix("Data ") && $0.count > 80 }
        #expect(long == [])
    }

    @Test("The --json option prints one JSON object with the versions in VERSIONS.md")
    func json() throws {
        let run = try Shell.run("--json")
        #expect(run.status == 0)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        let table = try Tree.versions()
        #expect(report.modules.map(\.name).sorted() == table.keys.sorted())
        let present = report.modules.filter(\.isInThisBuild)
        #expect(report.launch.count == present.count)
        #expect(report.launch.allSatisfy { $0.outcome == "succeeded" })
        #expect(
            Dictionary(uniqueKeysWithValues: present.map { ($0.name, $0.version) })
                == table.filter { $0.key != "PayTypeCashless" })
    }

    @Test(
        "Given module names, the Shell shows only those modules' calls, and lists the modules that make none"
    )
    func callers() throws {
        let run = try Shell.run("Ride", "User", "Logger")
        #expect(run.status == 0)
        #expect(
            try run.output.contains(
                Regex("\n  6. Enter the metro\n      Ride -> UserApi .* session = Li Lei")))
        #expect(
            try run.output.contains(Regex("\n  Logger +calls no other module through an Api in this run\n")))
        #expect(
            try run.output.contains(Regex("\n  User +calls no other module through an Api in this run\n")))
        // A step without calls by these modules is left out.
        for other in ["\n    The gate at", "Demo -> ", "Read the log"] {
            #expect(try !run.output.contains(Regex(other)), "\(other)")
        }
        let json = try Shell.run("ModuleC", "ModuleB", "--json")
        let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
        #expect(report.day.calls.map(\.caller) == ["ModuleB", "ModuleB", "ModuleC", "ModuleC"])
        #expect(report.day.steps.flatMap(\.outcomes).isEmpty)
    }

    @Test("The help has all sections and fits 80 columns", arguments: ["--help", "-h"])
    func help(option: String) throws {
        let run = try Shell.run(option)
        #expect(run.status == 0)
        for part in [
            "USAGE", "--json", "--data", "--start-clean", "HOME_BANNER_URL", " ModuleC ", "EXIT CODES",
            "--disable-default-traits",
        ] {
            #expect(run.output.contains(part))
        }
        #expect(run.output.split(separator: "\n").filter { $0.count > 80 } == [])
    }

    @Test(
        "Invalid arguments are refused with exit code 2 and a message that lists the valid ones",
        arguments: [
            (
                ["--jsn"],
                "unknown option '--jsn'. The options are --data, --start-clean, --json, --port, --no-browser and --help."
            ),
            (["--json=yes"], "unknown option '--json=yes'."),
            (["--data"], "--data requires a value."),
            (["--data", "--json"], "--data requires a value."),
            (["--data="], "--data requires a value."),
            (["modules", "--start-clean"], "--start-clean is for commands that use stored data"),
            (["modules", "Ride"], "modules takes no arguments, but 'Ride' was given."),
            (["trace", "Ride"], "trace takes no arguments, but 'Ride' was given."),
            (["Journy"], "no module or command is named 'Journy'. Did you mean Journey? The modules are"),
            (["opn", "app://x"], "no module or command is named 'opn'. Did you mean open?"),
            (
                ["PayTypeCashless"],
                "PayTypeCashless is left out of this build, so it makes no calls. A build contains only the modules "
                    + "whose traits are enabled. Try: swift run --traits Gate,Home,Journey,ModuleA,ModuleB,ModuleC,PayTypeCashless,Ride,"
                    + "ServiceOpen,WebContainer,Logger,SDKManager,User Shell PayTypeCashless"
            ),
            (["Weather"], "no module or command is named 'Weather'. The modules are"),
            (["ModuleA", "modulea"], "no module or command is named 'modulea'."),
            ([""], "no module or command is named ''."),
            (["open"], "open takes one URL, but 0 were given."),
            (["open", "app://a", "app://b"], "open takes one URL, but 2 were given."),
        ])
    func refused(arguments: [String], message: String) throws {
        let run = try Shell.run(arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Shell: \(message)"))
        #expect(run.errors.contains("Try: swift run "))
    }

    @Test("A closed standard error does not change the exit code")
    func noStandardError() throws {
        let run = try Process.run(
            "/usr/bin/env", "bash", "-c", "\"$0\" Weather 2>&-", Shell.executable(), in: Tree.root)
        #expect(run.status == 2)
    }

    @Test(
        "The modules command lists each module's Apis, routes and actions, and marks those callable from outside"
    )
    func modules() throws {
        let text = try Shell.run("modules")
        #expect(text.status == 0)
        #expect(
            text.output.contains(
                """
                  Api     JourneyApi.JourneyApiProtocol
                  Route   journey_vc  callable from outside
                  Route   journeys(/:limit<int>)  callable from outside

                """))
        #expect(
            text.output.contains("  Route   web_vc\n  Action  hybridWebView/jsFetchHybridWebViewController\n")
        )
        #expect(text.output.contains("PayTypeCashless is left out of this build\n"))
        let json = try Shell.run("modules", "--json")
        let listing = try JSONDecoder().decode(Listing.self, from: Data(json.output.utf8))
        let versions = try Tree.versions()
        for module in listing.modules {
            #expect(module.version == (module.isInThisBuild ? versions[module.name] : nil))
            #expect(
                module.apis.contains("\(module.name)Api.\(module.name)ApiProtocol") == module.isInThisBuild)
        }
        #expect(listing.modules.map(\.name).sorted() == versions.keys.sorted())
    }

    @Test("The open command calls the route of a URL and prints the result")
    func open() throws {
        let run = try Shell.run("open", "app://moduleA/describe")
        #expect(run.status == 0)
        #expect(run.output == "I am ModuleA.\n")
        let json = try Shell.run("open", "APP://moduleA//describe/?x=1", "--json")
        #expect(json.output.contains("\"value\" : \"I am ModuleA.\""))
        #expect(try Shell.run("open", "app://ride_vc").output == "Ride\nPlease log in first.\n")
    }

    @Test(
        "The open command refuses a URL with exit code 1 and a reason",
        arguments: [
            (
                "app://moduleA/describ",
                "Did you mean moduleA/describe? Callable from outside the app:\n  app://"
            ),
            ("modulea/describe", "but \"moduleA/describe\" differs in case alone"),
            ("app://jurney/3", "Did you mean journeys?"),
            (
                "bogus",
                "no route or action in this app matches 'bogus'. Callable from outside the app:\n  app://home_vc\n"
            ),
            ("app://moduleA/describe?x=%4", "byte 25"),
            ("", "empty"),
            ("app://moduleA/\u{1B}[31m", "\\u{1B}[31m"),
            ("app://web_vc?url=x.example", "calls from outside the app may not reach the link"),
            (
                "app://hybridWebView/jsFetchHybridWebViewController?url=x",
                "calls from outside the app may not reach the link"
            ),
            ("app://hybridWebView/jsFetch", "no route or action in this app matches"),
            (
                "app://journeys/3",
                "Please log in first. The sample day logs a passenger in. Try: swift run Shell"
            ),
            ("app://journeys/0", "the parameter \"limit\" is 0, expected 1 or more"),
            ("app://journeys/-3", "the parameter \"limit\" is -3, expected 1 or more"),
            ("app://journeys?limit=x", "the parameter \"limit\" is the text \"x\", expected Int"),
            ("app://journeys/x", "the parameter \"limit\" is the text \"x\", expected int"),
        ])
    func notOpened(url: String, part: String) throws {
        let run = try Shell.run("open", url)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Shell: "))
        #expect(run.errors.contains(part), "\(run.errors)")
        #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("notLoggedIn"))
        let json = try Shell.run("open", url, "--json")
        #expect(json.status == 1)
        #expect(json.output.contains("\"error\""))
    }

    private struct Listing: Decodable {
        struct Module: Decodable {
            let name: String
            let isInThisBuild: Bool
            let version: String?
            let apis: [String]
        }
        let modules: [Module]
    }

    private struct Report: Decodable {
        struct Module: Decodable {
            let name: String
            let isInThisBuild: Bool
            let version: String?
        }
        struct Part: Decodable {
            let outcome: String
        }
        let modules: [Module]
        let launch: [Part]
        let day: DayRecord
    }
}
#endif
