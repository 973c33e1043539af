import Foundation
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The Shell's data")
struct DataTests {
    /// The name of the empty cookie folder that Foundation's URLSession creates in `XDG_DATA_HOME`, although the app
    /// keeps no cookies: the name of the folder that contains the executable.
    private var cookies: String {
        get throws { URL(filePath: try Shell.executable()).deletingLastPathComponent().lastPathComponent }
    }

    /// Plays a first day, and returns its data folder.
    private func used() throws -> TemporaryFolder {
        let data = try TemporaryFolder()
        #expect(try Shell.run(data: data).status == 0)
        return data
    }

    @Test(
        "Unreadable data is reported and kept, and is set aside only with --start-clean",
        arguments: [
            ("torn", "not JSON"), ("empty", "not JSON"), ("foreign", "does not belong to this document"),
            ("other document", "does not belong to this document"), ("newer", "has version 99"),
            ("damaged", "checksum"),
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
        #expect(refused.errors.hasPrefix("Shell: Journey failed at prepare: \(data.path)/journeys.json: "))
        #expect(refused.errors.contains(message), "\(refused.errors)")
        #expect(refused.errors.hasSuffix("--start-clean.\n"))
        #expect(refused.output.contains("Refused. Journey could not start."))
        #expect(refused.output.contains("The gate at North Gate opens"))
        #expect(try data.text("journeys.json") == bad)

        let opened = try Shell.run("open", "app://journeys", data: data)
        #expect(opened.status == 1)
        #expect(
            opened.errors.hasPrefix(
                "Shell: 'app://journeys' cannot be opened because Journey failed to start."))
        #expect(opened.errors.contains(message))
        #expect(opened.errors.split(separator: "\n").count == 1)

        let clean = try Shell.run("--start-clean", data: data)
        #expect(clean.status == 0)
        #expect(clean.errors == "")
        #expect(
            clean.output.contains(
                "Set aside because it cannot be read: \(data.path)/journeys.json.unreadable-1\n"))
        #expect(try Shell.run("open", "app://journeys", data: data).output.split(separator: "\n").count == 1)
        #expect(clean.output.contains("You are logged in as Li Lei."))
        #expect(try data.text("journeys.json.unreadable-1") == bad)

        #expect(try Shell.run(data: data).status == 0)
        #expect(try Shell.run("open", "app://journeys", data: data).output.split(separator: "\n").count == 2)
    }

    /// Returns a journeys file as a newer version of the app would write it.
    private func newer() throws -> String {
        let data = try TemporaryFolder()
        let journeys = try Storage(folder: data.url).document("journeys", version: 99, default: [String]())
        try journeys.update { $0.append("Museum - Moon") }
        return try data.text("journeys.json")
    }

    @Test("An unwritable log is reported once, and the day continues")
    func log() throws {
        let data = try TemporaryFolder()
        // A folder at the log's path makes every write fail.
        try FileManager.default.createDirectory(
            at: data.url.appending(path: "log.txt"), withIntermediateDirectories: false)
        let run = try Shell.run(data: data)
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("Logger: \(data.path)/log.txt: the log cannot be written: "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.output.contains(" info A ride from North Gate to Museum"))
        // A writable log records the start, after the app's own step before it, and the end of the app.
        let whole = try used().text("log.txt").split(separator: "\n")
        #expect(whole.prefix(2).last?.hasSuffix(" info The app has started") == true)
        #expect(whole.last?.hasSuffix(" info The app is shutting down") == true)
    }

    @Test("The log records the app's shutdown even if the command fails")
    func end() throws {
        let data = try TemporaryFolder()
        #expect(try Shell.run("PayTypeCashless", data: data).status == 2)
        let log = try data.text("log.txt").split(separator: "\n")
        #expect(log.prefix(2).last?.hasSuffix(" info The app has started") == true)
        #expect(log.last?.hasSuffix(" info The app is shutting down") == true)
    }

    @Test("Only one Shell at a time can use a data folder")
    func inUse() throws {
        let data = try used()
        let held = try Storage(folder: data.url)
        let refused = try Shell.run(data: data)
        #expect(refused.status == 1)
        #expect(refused.output == "")
        #expect(
            refused.errors.contains(
                "process \(ProcessInfo.processInfo.processIdentifier) is using this folder"))
        #expect(refused.errors.hasSuffix("--data DIR.\n"))
        withExtendedLifetime(held) {}
    }

    @Test("A data folder that cannot be created is reported")
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

    @Test("Commands that only describe the app write no data")
    func untouched() throws {
        let data = try TemporaryFolder()
        #expect(try Shell.run("modules", data: data).status == 0)
        for command in ["trace", "Ride"] {
            let run = try Process.run(
                Shell.executable(), command, in: data.url, environment: ["XDG_DATA_HOME": data.path])
            #expect(run.status == 0)
        }
        #expect(try data.names.filter { try $0 != cookies } == [])
    }

    #if os(Linux)
    @Test("The default data folder is in XDG_DATA_HOME")
    func standard() throws {
        let home = try TemporaryFolder()
        let run = try Process.run(
            Shell.executable(), in: Tree.root, environment: ["XDG_DATA_HOME": home.path])
        #expect(run.status == 0)
        #expect(run.output.contains("Data    \(home.path)/ModularApp\n"))
        #expect(try home.names.filter { try $0 != cookies } == ["ModularApp"])
    }
    #endif
}
#endif
