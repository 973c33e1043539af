import APIService
import APIServiceTesting
import APITransport
import AsyncHTTPAPIClient
import Foundation

/// The transports that the tests compare.
enum Transport: String, CaseIterable, Codable, Sendable {
    case urlSession, asyncHTTPClient

    func client() -> any APIStreamingClient {
        switch self {
        case .urlSession: URLSessionAPIClient()
        case .asyncHTTPClient: AsyncHTTPAPIClient()
        }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The system resources that this process uses.
enum ProcessUse {
    #if os(Linux)
    /// The number of open file descriptors.
    static var descriptors: Int { names("/proc/self/fd").count }
    /// The number of open sockets.
    static var sockets: Int {
        names("/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.hasPrefix("socket:") ?? false
        }
    }
    /// The number of threads.
    static var threads: Int { names("/proc/self/task").count }

    /// The resident memory in MiB.
    static var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 256
    }
    #else
    static var descriptors: Int { names("/dev/fd").count }
    /// Always 0, because sockets are not distinguished from other descriptors on this platform.
    static var sockets: Int { 0 }
    /// Always 0, because threads are not counted on this platform.
    static var threads: Int { 0 }
    /// Always 0, because memory is not measured on this platform.
    static var memory: Int { 0 }
    #endif

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
