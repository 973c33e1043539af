/// A server-sent event.
///
/// Source: WHATWG HTML, 9.2 "Server-sent events".
public struct APIServerEvent: Sendable, Hashable {
    /// The event's type: `message` unless the server sets another one.
    public var name: String
    /// The data, with its lines joined by newlines.
    public var data: String
    /// The last ID that the server has sent, with this event or an earlier one; empty if the server has sent
    /// no ID.
    public var id: String

    /// Creates an event.
    public init(name: String = "message", data: String, id: String = "") {
        (self.name, self.data, self.id) = (name, data, id)
    }
}

/// Parses events from a stream's bytes, which may be split at any position.
///
/// Lines end with LF, CR or CR LF, and an empty line ends an event. As the standard requires, an event that is
/// incomplete at the end of the stream is dropped. Comments are skipped, and are not kept in memory.
struct ServerEventParser {
    private let eventLimit: Int
    private var line: [UInt8] = []
    /// The number of bytes of the incomplete event, without line ends and comments.
    private var size = 0
    private var skipsLineFeed = false
    private var isFirstLine = true
    private var name = ""
    private var data: String?
    private var newID: String

    /// The last event ID as of the last complete event, even if that event had no data. A new connection
    /// sends this ID to the server.
    private(set) var lastID: String

    /// The delay before reconnecting, in milliseconds, that the server has set with `retry:`; `nil` if the
    /// server has set no delay.
    private(set) var retry: Int?

    /// Whether an event is larger than the limit. The parser then reads no more.
    var isTooLong: Bool { size > eventLimit }

    /// Creates a parser for a stream that continues after the event with this ID.
    init(lastID: String = "", eventLimit: Int = .max) {
        (newID, self.lastID, self.eventLimit) = (lastID, lastID, eventLimit)
    }

    /// Returns the events that these bytes complete.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [APIServerEvent] {
        var events: [APIServerEvent] = []
        for byte in bytes where !isTooLong {
            let skips = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case UInt8(ascii: "\n") where skips: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                skipsLineFeed = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            case _ where line.first == UInt8(ascii: ":"): break
            default:
                if byte != UInt8(ascii: ":") || !line.isEmpty { size += 1 }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> APIServerEvent? {
        defer {
            line = []
            isFirstLine = false
        }
        // The stream may start with a byte order mark.
        if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        if line.isEmpty { return endEvent() }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "event": name = text
        case "data":
            // Append in place: copying the data for each line would take quadratic time.
            if data == nil { data = text } else { data?.append("\n" + text) }
        case "id": if !value.contains(0) { newID = text }
        case "retry":
            if value.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                retry = Int(text) ?? retry
            }
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> APIServerEvent? {
        defer { (name, data, size) = ("", nil, 0) }
        lastID = newID
        return data.map { APIServerEvent(name: name.isEmpty ? "message" : name, data: $0, id: lastID) }
    }
}
