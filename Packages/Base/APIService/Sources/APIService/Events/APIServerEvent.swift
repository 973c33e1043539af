/// One event that a server has sent.
///
/// Source: WHATWG HTML, 9.2 "Server-sent events".
public struct APIServerEvent: Sendable, Hashable {
    /// What kind of event it is: `message`, unless the server says otherwise.
    public var name: String
    /// The data, its lines joined with newlines.
    public var data: String
    /// The last id that the server has given to this event or one before; empty when it gave none.
    public var id: String

    /// An event.
    public init(name: String = "message", data: String, id: String = "") {
        (self.name, self.data, self.id) = (name, data, id)
    }
}

/// Reads events out of a stream's bytes, wherever the pieces are cut.
///
/// Lines end with LF, CR or CR LF. An event ends with an empty line; one that the stream's end cuts off is
/// dropped, as the standard has it. Comments are skipped.
struct ServerEventParser {
    private var line: [UInt8] = []
    private var skipsLineFeed = false
    private var isFirstLine = true
    private var name = ""
    private var data: String?
    private var newID: String

    /// The id of the last event that ended, however it was given: what a new connection tells the server.
    private(set) var lastID: String

    /// The wait before a new connection that the server asks for, in milliseconds, if it has.
    private(set) var retry: Int?

    /// About how many bytes of an event that has not ended are kept.
    var pending: Int { line.count + name.utf8.count + (data?.utf8.count ?? 0) }

    /// A parser for an answer that goes on where another broke, after the event of this id.
    init(lastID: String = "") { (newID, self.lastID) = (lastID, lastID) }

    /// The events that these bytes complete.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [APIServerEvent] {
        var events: [APIServerEvent] = []
        for byte in bytes {
            let skips = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case UInt8(ascii: "\n") where skips: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                skipsLineFeed = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default: line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> APIServerEvent? {
        defer {
            line = []
            isFirstLine = false
        }
        // A byte order mark may stand before all.
        if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        if line.isEmpty { return endEvent() }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "event": name = text
        case "data":
            // In place: copied with each line, an event of many would take for ever.
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
        defer { (name, data) = ("", nil) }
        lastID = newID
        return data.map { APIServerEvent(name: name.isEmpty ? "message" : name, data: $0, id: lastID) }
    }
}
