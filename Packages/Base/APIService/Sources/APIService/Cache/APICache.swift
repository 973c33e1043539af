import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How one API is cached: the request's ``APIRequest/cache``, or a ``CachePlugin``'s.
///
/// Reading happens in the caller's thread, before the send's first suspension; writing happens later.
///
/// Source: seeds/5-CSAPIService.md, "APICache".
public struct APICache: Sendable {
    /// Not cached.
    public init() {}

    /// How the cache is read.
    public var readMode: APICacheReadMode = .none

    /// Where answers are written. (The seed's name.)
    public var writeNode: APICacheWriteMode = .none

    /// A part of the key: the app's version, the cache's version, the value of a header field that changes the answer
    /// though the server's `Vary` does not name it.
    public var extraCacheKey = ""

    /// Whether an answer may be written, given its head and body. All that are no error may, by default.
    public var shouldCacheHandler: (@Sendable (HTTPURLResponse?, Data?) -> Bool)?

    /// Makes the key from the one that the library would use. Users are kept apart all the same.
    public var customCacheKeyHandler: (@Sendable (String) -> String)?

    /// How long what is written stays fresh.
    public var expiry: APICacheExpiry = .seconds(0)

    /// Whether an expired answer with an ETag or Last-Modified is offered to the server for validation: then a
    /// 304 makes it fresh again and delivers it.
    public var validates = true

    /// How long after its expiry an answer is delivered when the server cannot be reached or answers 5xx; nil:
    /// as the answer's own `stale-if-error` says, else not at all.
    public var staleIfError: Duration?
}

/// How a cache is read.
public enum APICacheReadMode: Sendable, Hashable {
    /// Not at all.
    case none
    /// A fresh answer ends the send: nothing goes to the network.
    case cancelNetwork
    /// A fresh answer goes to the cache handler, and the network's answer is delivered when it comes.
    case alsoNetwork
}

/// Where answers are written.
public enum APICacheWriteMode: Sendable, Hashable {
    /// Nowhere.
    case none
    /// Into memory.
    case memory
    /// To disk.
    case disk
    /// Both.
    case memoryAndDisk

    var includesMemory: Bool { self == .memory || self == .memoryAndDisk }
    var includesDisk: Bool { self == .disk || self == .memoryAndDisk }
}

/// How long an answer stays fresh.
public enum APICacheExpiry: Sendable, Hashable {
    /// For ever.
    case never
    /// For so many seconds after it was written.
    case seconds(TimeInterval)
    /// Until then.
    case date(Date)

    /// When what is written now expires; nil: never.
    func date(from now: Date) -> Date? {
        switch self {
        case .never: nil
        case .seconds(let seconds): now.addingTimeInterval(seconds)
        case .date(let date): date
        }
    }
}
