import Foundation
import Storage
import TestSupport
import Testing

@Suite("The Shell's data")
struct DataTests {
    /// A folder after a first day.
    private func used() throws -> TemporaryFolder {
        let data = try TemporaryFolder()
        #expect(try Shell.run(data: data).status == 0)
        return data
    }

    @Test(
        "that cannot be read is told, kept, and set aside on request only",
        arguments: [
            ("torn", "not JSON"), ("empty", "not JSON"), ("foreign", "not this document's"),
            ("other document", "not this document's"), ("newer", "of version 99"), ("damaged", "checksum"),
        ])
    func unreadable(fault: String, message: String) throws {
        let data = try used()
        let whole = try data.text("journeys.json")
        let bad =
            switch fault {
            case "torn": String(whole.dropLast(20))
            case "empty": ""
            case "foreign": #"{"name": "somebody's"}"#
            case "other document": try data.text("user.json")
            case "newer": try newer()
            default: whole.replacingOccurrences(of: "Museum", with: "Harbor")
            }
        try data.write(bad, to: "journeys.json")

        let refused = try Shell.run(data: data)
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("Shell: Journey failed at register: \(data.path)/journeys.json: "))
        #expect(refused.errors.contains(message), "\(refused.errors)")
        #expect(refused.errors.hasSuffix("--start-clean.\n"))
        #expect(refused.output.contains("Journey could not start, and is left out"))
        #expect(refused.output.contains("The gate at North Gate opens"))
        #expect(try data.text("journeys.json") == bad)

        let opened = try Shell.run("open", "app://journeys", data: data)
        #expect(opened.status == 1)
        #expect(
            opened.errors.hasPrefix("Shell: 'app://journeys' is not answered, for Journey did not start."))
        #expect(opened.errors.contains(message))
        #expect(opened.errors.split(separator: "\n").count == 1)

        let clean = try Shell.run("--start-clean", data: data)
        #expect(clean.status == 0)
        #expect(clean.errors == "")
        #expect(
            clean.output.contains(
                "Set aside, for it cannot be read: \(data.path)/journeys.json.unreadable-1\n"))
        #expect(clean.output.contains("    1 journey so far\n"))
        #expect(clean.output.contains("Still logged in as Li Lei"))
        #expect(try data.text("journeys.json.unreadable-1") == bad)

        #expect(try Shell.run(data: data).output.contains("    2 journeys so far"))
    }

    /// The journeys as an app of the future keeps them.
    private func newer() throws -> String {
        let data = try TemporaryFolder()
        let journeys = try Storage(folder: data.url).document("journeys", version: 99, default: [String]())
        try journeys.update { $0.append("Museum - Moon") }
        return try data.text("journeys.json")
    }

    @Test("may have a log that cannot be written, which is told once, and the day goes on")
    func log() throws {
        let data = try TemporaryFolder()
        // A folder stands where the log would.
        try FileManager.default.createDirectory(
            at: data.url.appending(path: "log.txt"), withIntermediateDirectories: false)
        let run = try Shell.run(data: data)
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("Logger: \(data.path)/log.txt: the log cannot be written: "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.output.contains(" info A ride from North Gate to Museum"))
        // Where it can be written, it has the app's beginning and its end.
        let whole = try used().text("log.txt").split(separator: "\n")
        #expect(whole.first?.hasSuffix(" info The app has started") == true)
        #expect(whole.last?.hasSuffix(" info The app ends") == true)
    }

    @Test("has a log with the app's end, also when what was asked for cannot be shown")
    func end() throws {
        let data = try TemporaryFolder()
        #expect(try Shell.run("PayTypeCashless", data: data).status == 2)
        let log = try data.text("log.txt").split(separator: "\n")
        #expect(log.first?.hasSuffix(" info The app has started") == true)
        #expect(log.last?.hasSuffix(" info The app ends") == true)
    }

    @Test("is one Shell's at a time")
    func inUse() throws {
        let data = try used()
        let held = try Storage(folder: data.url)
        let refused = try Shell.run(data: data)
        #expect(refused.status == 1)
        #expect(refused.output == "")
        #expect(
            refused.errors.contains("process \(ProcessInfo.processInfo.processIdentifier) has this folder"))
        #expect(refused.errors.hasSuffix("--data DIR.\n"))
        withExtendedLifetime(held) {}
    }

    @Test("needs a folder that can be made")
    func noFolder() throws {
        let data = try TemporaryFolder()
        try data.write("", to: "file")
        let run = try Process.run(
            Shell.executable(), "--data", data.path + "/file/folder", in: Tree.root)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("documents cannot be kept in this folder"))
        #expect(run.errors.hasSuffix("--data DIR.\n"))
    }

    @Test("of telling about the app is none")
    func untouched() throws {
        let data = try TemporaryFolder()
        #expect(try Shell.run("modules", data: data).status == 0)
        for command in ["trace", "Ride"] {
            let run = try Process.run(
                Shell.executable(), command, in: data.url, environment: ["XDG_DATA_HOME": data.path])
            #expect(run.status == 0)
        }
        #expect(try data.names == [])
    }

    #if os(Linux)
    @Test("is in the folder that the desktop's rules name, unless told otherwise")
    func standard() throws {
        let home = try TemporaryFolder()
        let run = try Process.run(
            Shell.executable(), in: Tree.root, environment: ["XDG_DATA_HOME": home.path])
        #expect(run.status == 0)
        #expect(run.output.contains("Data    \(home.path)/ModularApp\n"))
        #expect(try home.names == ["ModularApp"])
    }
    #endif
}
