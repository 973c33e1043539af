import ApiCenter
import Foundation
import Lifecycle
import LoggerApi
import Providers
import Storage
import TestSupport
import Testing

@testable import Logger

@Suite("Logger")
struct LoggerTests {
    private static func center(_ storage: Storage) -> ApiCenter {
        let center = ApiCenter()
        center.register(Storage.self) { storage }
        LoggerModule().register(in: center)
        return center
    }

    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "LoggerTests-\(UUID().uuidString)")
    }

    @Test("Logger returns the latest messages, oldest first, each as one line")
    func recent() async throws {
        let logger = try Self.center(.inMemory()).requireApi(type: LoggerApiProtocol.self)
        for number in 1...1000 { logger.log(.info, "line \(number)") }
        logger.log(.error, "two\nlines")
        let lines = logger.recent(limit: 3)
        #expect(lines.count == 3)
        #expect(lines[0].hasSuffix(" info line 999"))
        #expect(lines[2].hasSuffix(" error two lines"))
        #expect(logger.recent(limit: 100_000).count == 200)
        #expect(logger.recent(limit: 0).isEmpty && logger.recent(limit: -1).isEmpty)
    }

    @Test("Without a storage, the app has no Logger")
    func noStorage() {
        let center = ApiCenter()
        LoggerModule().register(in: center)
        #expect(throws: ApiError.self) { try center.requireApi(type: LoggerApiProtocol.self) }
    }

    @Test("Logger rotates its file at the size limit and keeps the previous file")
    func file() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = LoggerModule(), center = Self.center(try Storage(folder: folder))
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log(.warning, "the first")
        await module.handle(.background, in: center)
        let file = folder.appending(path: "log.txt"), former = folder.appending(path: "log.1.txt")
        #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix(" warning the first\n"))
        for _ in 1...600 { logger.log(.info, String(repeating: "x", count: 1000)) }
        await module.handle(.background, in: center)
        #expect(try Data(contentsOf: former).count >= 256 * 1024)
        #expect(try Data(contentsOf: file).count < 256 * 1024)
    }

    @Test("The file logger returns the latest lines across a rotation")
    func recentOfFile() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let center = Self.center(try Storage(folder: folder))
        let file = try #require(
            center.requireApi(type: Providers<LoggerApiProtocol>.self).all
                .map(\.implementation).first { !"\($0)".contains("Recent") })
        let long = String(repeating: "x", count: 100 * 1024)
        for number in 1...4 { file.log(.info, "\(number) \(long)") }
        let lines = file.recent(limit: 3)
        #expect(lines.map { $0.split(separator: " ")[2] } == ["2", "3", "4"])
        #expect(file.recent(limit: 9).count == 4)
        #expect(file.recent(limit: 1) == [lines[2]])
        #expect(file.recent(limit: 0).isEmpty && file.recent(limit: -1).isEmpty)
    }

    @Test("The file is rotated as soon as it has 256 KiB", arguments: [-1, 0])
    func limit(excess: Int) async throws {
        let folder = try TemporaryFolder(), center = Self.center(try Storage(folder: folder.url))
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log(.info, "")
        let start = try #require(logger.recent(limit: 1).first).utf8.count
        await LoggerModule().handle(.background, in: center)
        // The first line and the second one, each with its end.
        logger.log(.info, String(repeating: "x", count: 256 * 1024 - 2 * (start + 1) + excess))
        await LoggerModule().handle(.background, in: center)
        #expect(try folder.names.contains("log.1.txt") == (excess == 0))
    }

    @Test("Logger continues when its file cannot be written, and later logs how many lines were lost")
    func lost() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = LoggerModule(), center = Self.center(try Storage(folder: folder))
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        let file = folder.appending(path: "log.txt")
        // A folder at the file's path makes every write fail.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        logger.log(.info, "a")
        logger.log(.info, "b")
        #expect(logger.recent(limit: 9).count == 2)
        await module.handle(.background, in: center)
        try FileManager.default.removeItem(at: file)
        logger.log(.info, "c")
        await module.handle(.background, in: center)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(" warning 2 lines before this one were lost\n"))
        #expect(text.hasSuffix(" info c\n"))
        logger.log(.info, "d")
        await module.handle(.background, in: center)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.map { $0.suffix(2) } == ["st", " c", " d"])
    }

    @Test(
        "Before an app may be suspended or ended, all lines are in the file",
        arguments: [LifecycleEvent.background, .terminate])
    func flushed(event: LifecycleEvent) async throws {
        let folder = try TemporaryFolder()
        let module = LoggerModule(), center = Self.center(try Storage(folder: folder.url))
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        for number in 1...2000 { logger.log(.info, "line \(number)") }
        await module.handle(event, in: center)
        #expect(try String(contentsOf: folder.file("log.txt"), encoding: .utf8).contains("line 2000\n"))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A caller does not wait for a disk that does not answer", .timeLimit(.minutes(10)), .waitLimit)
    func slowDisk() async throws {
        let folder = try TemporaryFolder(), pipe = folder.file("log.txt").path
        // Opening a pipe for writing blocks until someone opens it for reading.
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        try #require(isMade)
        let reader = try await {
            let module = LoggerModule(), center = Self.center(try Storage(folder: folder.url))
            let logger = try center.requireApi(type: LoggerApiProtocol.self)
            logger.log(.info, "a")
            #expect(logger.recent(limit: 1).count == 1)
            let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK)
            await module.handle(.background, in: center)
            return reader
        }()
        defer { close(reader) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        #expect(unsafe read(reader, &bytes, bytes.count) > 0)
        // Logger has closed the file at its own end.
        #expect(unsafe read(reader, &bytes, bytes.count) == 0)
    }

    @Test("Logger writes in an app without standard input, where its file has the descriptor 0")
    func noInput() async {
        await #expect(processExitsWith: .success) {
            WaitLimit.startInExitTest()
            let folder = try TemporaryFolder(), log = FileLog(folder: folder.url)
            close(STDIN_FILENO)
            log.log(.info, "a")
            #expect(log.recent(limit: 1).first?.hasSuffix(" info a") == true)
        }
    }

    @Test("Logger reports its first failure on standard error, and no later one")
    func complaint() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            WaitLimit.startInExitTest()
            let folder = try TemporaryFolder(), file = folder.file("log.txt")
            let module = LoggerModule(), center = LoggerTests.center(try Storage(folder: folder.url))
            for _ in 0..<2 {
                for isWritable in [false, true] {
                    if !isWritable {
                        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
                    }
                    center.api(type: LoggerApiProtocol.self)?.log(.info, "a")
                    await module.handle(.background, in: center)
                    try FileManager.default.removeItem(at: file)
                }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        let reports = text.split(separator: "\n").filter { $0.hasPrefix("Logger: ") }
        #expect(reports.count == 1, "\(text)")
        #expect(reports.first?.contains("/log.txt: the log cannot be written: ") == true, "\(text)")
        #expect(reports.first?.hasSuffix(", or free disk space.") == true, "\(text)")
    }
    #endif

    @Test("Logger writes to a new file after its file was deleted")
    func deleted() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = LoggerModule(), center = Self.center(try Storage(folder: folder))
        let file = folder.appending(path: "log.txt")
        for message in ["a", "b"] {
            center.api(type: LoggerApiProtocol.self)?.log(.info, message)
            await module.handle(.background, in: center)
            #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix(" info \(message)\n"))
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test("Two processes that write in turn keep each other's lines, also after a rotation")
    func otherProcess() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = LoggerModule(), storage = try Storage(folder: folder)
        let center = Self.center(storage)
        _ = try center.requireApi(type: LoggerApiProtocol.self)
        await storage.suspend()
        // Stands for another process: it has a handle of its own.
        let other = try Self.center(Storage(folder: folder))
        func log(_ message: String, in center: ApiCenter) async {
            center.api(type: LoggerApiProtocol.self)?.log(.info, message)
            await module.handle(.background, in: center)
        }
        func text(_ name: String) throws -> [String] {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                .split(separator: "\n").map { String($0.suffix(1)) }
        }
        await log("a", in: center)
        await log("b", in: other)
        await log("c", in: center)
        #expect(try text("log.txt") == ["a", "b", "c"])
        await log(String(repeating: "x", count: 256 * 1024), in: other)
        await log("d", in: center)
        #expect(try text("log.txt") == ["d"])
        #expect(try text("log.1.txt") == ["a", "b", "c", "x"])
    }

    @Test("Of two processes that rotate the file at the same time, one does, and no lines are lost")
    func bothRotate() throws {
        let folder = try TemporaryFolder(), file = folder.file("log.txt"), former = folder.file("log.1.txt")
        func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }
        try folder.write("full", to: "log.txt")
        let handle = try FileHandle(forWritingTo: file), other = try FileHandle(forWritingTo: file)
        // The other process is renaming the file.
        let isLocked = flock(other.fileDescriptor, LOCK_EX) == 0
        try #require(isLocked)
        FileLog.rotate(handle, at: file, to: former)
        #expect(text(file) == "full" && text(former) == nil)
        FileLog.rotate(other, at: file, to: former)
        try other.close()
        #expect(text(file) == nil && text(former) == "full")
        FileLog.rotate(handle, at: file, to: former)
        #expect(text(former) == "full")
        try folder.write("new", to: "log.txt")
        FileLog.rotate(handle, at: file, to: former)
        #expect(text(file) == "new" && text(former) == "full")
    }

    @Test("Logger logs lifecycle events, but omits the URL that the app is asked to open")
    func events() async throws {
        let center = Self.center(.inMemory()), module = LoggerModule()
        for event in [LifecycleEvent.launch, .active, .openURL("app://x?token=secret"), .terminate] {
            await module.handle(event, in: center)
        }
        let lines = try center.requireApi(type: LoggerApiProtocol.self).recent(limit: 9)
        let messages = lines.map { $0.drop { $0 != " " } }
        #expect(
            messages == [
                " info The app has started", " info The app was asked to open a URL",
                " info The app is shutting down",
            ])
    }

    @Test("Logger passes each line to loggers that other modules add")
    func added() async throws {
        final class Console: LoggerApiProtocol {
            let recentLog: any LoggerApiProtocol
            init(_ other: any LoggerApiProtocol) { recentLog = other }
            func log(_ level: LogLevel, _ message: String) { recentLog.log(level, "heard: \(message)") }
            func recent(limit: Int) -> [String] { [] }
        }
        let center = Self.center(.inMemory()), other = Self.center(.inMemory())
        let heard = try other.requireApi(type: LoggerApiProtocol.self)
        try center.requireApi(type: Providers<LoggerApiProtocol>.self).add(Console(heard))
        center.api(type: LoggerApiProtocol.self)?.log(.info, "hello")
        #expect(heard.recent(limit: 1).first?.hasSuffix("heard: hello") == true)
    }
}
