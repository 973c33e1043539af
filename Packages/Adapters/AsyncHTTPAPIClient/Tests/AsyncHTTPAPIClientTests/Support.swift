import APIService
import APIServiceTesting
import AsyncHTTPAPIClient
import Foundation

/// The transports that are compared here.
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

/// What this process holds of its operating system.
enum ProcessUse {
    #if os(Linux)
    /// Open file descriptors.
    static var descriptors: Int { names("/proc/self/fd").count }
    /// Open sockets.
    static var sockets: Int {
        names("/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.hasPrefix("socket:") ?? false
        }
    }
    /// Threads.
    static var threads: Int { names("/proc/self/task").count }

    /// Memory in RAM, in MB.
    static var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 256
    }
    #else
    static var descriptors: Int { names("/dev/fd").count }
    /// Not told from other descriptors here.
    static var sockets: Int { 0 }
    /// Not counted here.
    static var threads: Int { 0 }
    /// Not counted here.
    static var memory: Int { 0 }
    #endif

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
