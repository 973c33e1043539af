import APICache
import APICoalescing
import APIService
import APIServiceTesting
import APITransfers
import AsyncHTTPAPIClient
import Foundation
import Synchronization
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends thousands of requests to a faulty server, cancels some of them at random, and writes a report of
/// the results.
struct Soak: Codable, Sendable {
    let transport: Transport
    let seed: UInt64
    let requests: Int
    var width = 100
    /// If present, all requests use HTTP/2 with this certificate.
    var certificate: TestCertificate?
    /// The file to which the report is written, for the parent process.
    let report: URL

    /// The results of a soak.
    struct Report: Codable, Sendable {
        var outcomes: [String: Int] = [:]
        /// Descriptions of unexpected results, at most twenty.
        var violations: [String] = []
        /// The number of open descriptors after the warm-up and after each quarter.
        var descriptors: [Int] = []
        /// The number of threads, counted together with `descriptors`.
        var threads: [Int] = []
        /// Resident memory in MiB, measured together with `descriptors`.
        var memory: [Int] = []
        var objectsLeft = -1
        var seconds = 0.0
    }

    /// The server behaviour that a request selects by its path, `/KIND/NUMBER`.
    enum Kind: String, CaseIterable {
        case ok, slow, big, drop, cut, status, later, hang, post, file, shared
    }

    private struct Text: APIParsable {
        let text: String
        static func parse(data: Data) throws -> Text { Text(text: String(decoding: data, as: UTF8.self)) }
    }

    private struct Request<Response: APIParsable>: APICoalescingRequest {
        let baseURL: URL
        let path: String
        var method = APIRequestMethod.get
        var taskType = APIRequestTaskType.request
        var coalesces = false
        var timeout: Duration?
        /// Lives as long as any copy of the request, so that leaked requests are counted.
        let tracer: Tracer
    }

    /// Counts its live instances.
    private final class Tracer: Sendable {
        static let living = Atomic(0)
        init() { Self.living.add(1, ordering: .relaxed) }
        deinit { Self.living.subtract(1, ordering: .relaxed) }
    }

    private final class State: Sendable {
        let report = Recorded(Report())
        let completions = Recorded<[Int: Int]>([:])
        /// The running requests, which the watchdog reports if they hang.
        let underWay = Recorded<[Int: String]>([:])
        let moved = Atomic(0)
        func violation(_ text: String) {
            report.update { if $0.violations.count < 20 { $0.violations.append(text) } }
        }
    }

    // MARK: Running

    /// Runs the soak and writes the report. A watchdog ends the process if requests stop completing.
    func run() async throws {
        let state = State()
        let watchdog = watch(state)
        // Before resources are counted, a warm-up creates everything that is created only once.
        try await part(state, numbers: 0..<width * 3, isCounted: false)
        note(state)
        let start = ContinuousClock.now
        for quarter in 0..<4 {
            let numbers = requests * quarter / 4..<requests * (quarter + 1) / 4
            try await part(state, numbers: numbers, isCounted: true)
            note(state)
        }
        state.report.update { $0.seconds = (ContinuousClock.now - start) / .seconds(1) }
        let completions = state.completions.value
        state.report.update { $0.objectsLeft = Tracer.living.load(ordering: .relaxed) }
        for number in 0..<requests where completions[number] != 1 {
            state.violation("request \(number) completed \(completions[number] ?? 0) times")
        }
        watchdog.signal()
        try write(state)
    }

    private func write(_ state: State) throws {
        try JSONEncoder().encode(state.report.value).write(to: report, options: .atomic)
    }

    /// If no request has completed for 30 seconds, writes a report of the hanging requests and ends the process.
    private func watch(_ state: State) -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var last = -1
            while end.wait(timeout: .now() + 30) == .timedOut {
                let moved = state.moved.load(ordering: .relaxed)
                guard moved == last else {
                    last = moved
                    continue
                }
                let hanging = state.underWay.value.sorted { $0.key < $1.key }.prefix(20)
                state.violation(
                    "hanging: " + hanging.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
                try? self.write(state)
                exit(EXIT_SUCCESS)
            }
        }
        return end
    }

    private func note(_ state: State) {
        state.report.update { report in
            report.descriptors.append(ProcessUse.descriptors)
            report.threads.append(ProcessUse.threads)
            report.memory.append(ProcessUse.memory)
        }
    }

    /// Runs some of the requests with a new client and a new server. Both are released before this method
    /// returns, and at most sixteen of their threads remain in pools.
    private func part(_ state: State, numbers: Range<Int>, isCounted: Bool) async throws {
        let before = ProcessUse.sockets
        weak var weakService: APIService?
        do {
            let server = try server()
            let service = try service()
            weakService = service
            try await send(state, numbers, isCounted, service, server)
            server.stop()
        }
        // Pools, connections and threads take some time to shut down. The watchdog limits this wait.
        let threads = state.report.value.threads.first.map { $0 + 16 } ?? .max
        while weakService != nil || ProcessUse.sockets > before || ProcessUse.threads > threads {
            state.underWay.update {
                $0[-1] = """
                    \(ProcessUse.sockets) sockets (\(before) at the start), \(ProcessUse.threads) threads, \
                    service still alive: \(weakService != nil)
                    """
            }
            await Task.yield()
        }
        state.underWay.update { $0[-1] = nil }
    }

    private func service() throws -> APIService {
        var settings = APISettings()
        settings.cacheTool = CacheTool(folder: report.appendingPathExtension("cache"))
        settings.coalescing = APICoalescing()
        settings.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .milliseconds(1))
        let client = try certificate.map { try AsyncHTTPAPIClient(trustedCertificates: $0.file) }
        return APIService(client: client ?? transport.client(), config: APIConfig(settings))
    }

    private func send(
        _ state: State, _ numbers: Range<Int>, _ isCounted: Bool, _ service: APIService,
        _ server: LoopbackServer
    ) async throws {
        await withTaskGroup(of: Void.self) { group in
            for (count, number) in numbers.enumerated() {
                if count >= width { await group.next() }
                group.addTask {
                    var random = SeededRandom(seed &+ UInt64(number) &* 0x9e37)
                    guard let kind = Kind.allCases.randomElement(using: &random) else { return }
                    // A third of the requests are cancelled, immediately or up to 199 scheduler turns later.
                    let cancels = Int.random(in: 0..<3, using: &random) == 0
                    let patience = cancels ? Int.random(in: 0..<200, using: &random) : nil
                    state.underWay.update { $0[number] = "\(kind)\(cancels ? ", cancelled" : "")" }
                    let outcome = await one(
                        number, kind, patience, Bool.random(using: &random), state, service, server)
                    state.underWay.update { $0[number] = nil }
                    state.moved.add(1, ordering: .relaxed)
                    if isCounted { state.report.update { $0.outcomes[outcome, default: 0] += 1 } }
                }
            }
        }
        if !isCounted { state.completions.update { $0 = [:] } }
    }
}

// MARK: One request

extension Soak {
    private func one(
        _ number: Int, _ kind: Kind, _ patience: Int?, _ byHandler: Bool, _ state: State,
        _ service: APIService, _ server: LoopbackServer
    ) async -> String {
        let file = report.deletingLastPathComponent().appendingPathComponent("file-\(number)")
        if kind == .file {
            let request = Request<APIDownloadedFile>(
                baseURL: server.url(""), path: "/file/\(number)",
                taskType: .download(APIDownload(to: file)), tracer: Tracer())
            let result = await result(of: request, number, patience, byHandler, state, service)
            defer { try? FileManager.default.removeItem(at: file) }
            let text = result.map { (try? String(contentsOf: $0.url, encoding: .utf8)) ?? "no file" }
            return judge(text, number, kind, patience, state)
        }
        var request = Request<Text>(
            baseURL: server.url(""), path: "/\(kind)/\(kind == .shared ? 0 : number)", tracer: Tracer())
        switch kind {
        case .post:
            request.method = .post
            request.taskType = .upload(.data(Data("\(number)".utf8)))
        case .shared: request.coalesces = true
        case .hang: request.timeout = .milliseconds(50)
        default: break
        }
        let result = await result(of: request, number, patience, byHandler, state, service)
        return judge(result.map(\.text), number, kind, patience, state)
    }

    /// Sends a request with the async method or with a completion handler, and cancels it after `patience`
    /// scheduler turns.
    private func result<T>(
        of request: Request<T>, _ number: Int, _ patience: Int?, _ byHandler: Bool, _ state: State,
        _ service: APIService
    ) async -> Result<T, APIError> {
        if byHandler {
            let (answers, answer) = AsyncStream<Result<T, APIError>>.makeStream()
            let task = service.sendRequest(request) { response in
                state.completions.update { $0[number, default: 0] += 1 }
                answer.yield(Result(catching: response.result.get))
                answer.finish()
            }
            if let patience {
                for _ in 0..<patience { await Task.yield() }
                task.cancel()
            }
            for await result in answers { return result }
            return .failure(.vetoed(APIVeto("the completion handler was not called")))
        }
        let task = Task {
            let response = await service.response(to: request)
            state.completions.update { $0[number, default: 0] += 1 }
            return Result(catching: response.result.get)
        }
        if let patience {
            for _ in 0..<patience { await Task.yield() }
            task.cancel()
        }
        return await task.value
    }

    /// Returns a result's name in the report, and records a violation if the result is unexpected.
    private func judge(
        _ result: Result<String, APIError>, _ number: Int, _ kind: Kind, _ patience: Int?, _ state: State
    ) -> String {
        let expected =
            switch kind {
            case .big: String(repeating: "b", count: 100_000)
            case .shared: "/shared/0"
            case .post: "\(number)"
            default: "/\(kind)/\(number)"
            }
        let mayFail: Bool
        let name: String
        switch result {
        case .success(let text):
            if text != expected {
                state.violation("\(kind) \(number): another request's response, \(text.prefix(40))")
            }
            (name, mayFail) = ("success", ![.drop, .cut, .status, .hang].contains(kind))
        case .failure(.cancelled): (name, mayFail) = ("cancelled", patience != nil)
        case .failure(.timedOut): (name, mayFail) = ("timed out", kind == .hang)
        case .failure(.responseError(.unacceptableStatus(let failure))):
            (name, mayFail) = ("\(failure.statusCode)", kind == .status && failure.statusCode == 500)
        case .failure(.connectionError): (name, mayFail) = ("broken", kind == .drop || kind == .cut)
        case .failure(let error): (name, mayFail) = ("\(error)", false)
        }
        if !mayFail { state.violation("\(kind) \(number): \(result)".prefix(300).description) }
        return name
    }

    // MARK: The server

    /// Starts the server, behind an HTTP/2 proxy if there is a certificate.
    private func server() throws -> LoopbackServer {
        let seen = Recorded<Set<String>>([])
        let front = certificate.map { certificate -> LoopbackServer.Front.Maker in
            { try HTTP2Front.front(certificate, before: $0) }
        }
        return try LoopbackServer(front: front) { request, connection in
            let path = request.path
            switch Kind(rawValue: String(path.split(separator: "/").first ?? "")) {
            case .ok, .file, .shared: return connection.answer(200, [:], Data(path.utf8))
            case .post: return connection.answer(200, [:], request.body)
            case .big: return connection.answer(200, [:], Data(repeating: UInt8(ascii: "b"), count: 100_000))
            case .slow:
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for letter in path {
                    for _ in 0..<10 { sched_yield() }
                    connection.send("1\r\n\(letter)\r\n")
                }
                return connection.send("0\r\n\r\n")
            case .cut:
                return connection.sendLast("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(path)")
            case .status: return connection.answer(500)
            case .later:
                let isFirst = seen.update { $0.insert(path).inserted }
                return connection.answer(isFirst ? 503 : 200, ["Retry-After": "0"], Data(path.utf8))
            case .hang:
                connection.waitForClose()
                return false
            case .drop, nil: return false
            }
        }
    }
}
