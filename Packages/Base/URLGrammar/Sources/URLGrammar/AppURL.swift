/// A link of the app, taken apart: `scheme://host/segment/segment?name=value#fragment`.
///
/// The one parser that mediator and routes share. It is not Foundation's: what a string means here does
/// not change with the version of the system, and every byte string has a defined meaning or a defined
/// error. The grammar stands in the package's README; where it leaves RFC 3986 it says so there. In short:
///
/// - A scheme is optional (`bybus_vc` is a URL of one segment) and lower-cased.
/// - A host keeps its letters' case, because it names a module (`app://moduleA/describe`).
/// - The path is split at `/` first and percent-decoded afterwards; empty segments are dropped, so
///   trailing, leading and doubled slashes do not matter. `.` and `..` are ordinary segments.
/// - `+` is a space in the query only. Repeated names are kept, in order.
/// - A percent sequence that is cut off, is not hexadecimal or does not decode to UTF-8 is an error.
///
/// Two URLs are equal when all their parts are; text compares as Swift strings do (canonical equivalence).
/// A value type: safe on every thread. Source: seeds 2 and 4, RFC 3986.
public struct AppURL: Hashable, Sendable {
    /// One `name=value` of the query, decoded.
    ///
    /// A name without `=` has the empty value.
    public struct QueryItem: Hashable, Sendable {
        /// The text before the first `=`.
        public let name: String
        /// The text after the first `=`.
        public let value: String

        /// Makes an item of text that is not encoded.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The longest URL that is parsed, in bytes of UTF-8: 65,536.
    ///
    /// A longer one is an error, so that what comes from outside the app costs a bounded amount of work.
    public static let maximumLength = 65_536
    /// The most combining marks that may follow one another in a part, decoded: 30.
    ///
    /// As in the Stream-Safe Text Format of Unicode (UAX #15, 13), and for its reason: to compare texts, their
    /// marks are put in order, which takes time that is quadratic in their number.
    public static let maximumMarks = 30

    /// The scheme in lower case, `app` in `app://moduleA/describe`.
    public let scheme: String?
    /// The port, digits after the host.
    ///
    /// Carried, never matched.
    public let port: UInt16?
    /// The host, when there is one, and then the path's segments, all decoded; none is empty.
    public let segments: [String]
    /// Whether the first of ``segments`` is the host.
    public let hasHost: Bool
    /// The query's items in order.
    public let query: [QueryItem]
    /// The text after the first `#`, decoded.
    public let fragment: String?

    /// The host, decoded: `moduleA` in `app://moduleA/describe`.
    public var host: String? { hasHost ? segments.first : nil }

    /// The path's segments without the host.
    public var path: ArraySlice<String> { segments.dropFirst(hasHost ? 1 : 0) }

    /// Parses a URL.
    ///
    /// - Parameter string: The text, percent-encoded where it needs to be.
    /// - Throws: ``AppURLError`` with the reason and the offset, in bytes of UTF-8.
    /// - Complexity: O(length), one allocation for the text and those of the parts.
    public init(_ string: String) throws(AppURLError) {
        self = try AppURLParser(Array(string.utf8)).parse()
    }

    /// Parses a URL given as bytes, which need not be UTF-8.
    ///
    /// - Parameter bytes: Any bytes at all.
    /// - Throws: ``AppURLError``; with the reason `notUTF8` where ``init(_:)`` could not have been called.
    /// - Complexity: O(length).
    public init(utf8 bytes: some Sequence<UInt8>) throws(AppURLError) {
        let bytes = Array(bytes)
        // The length comes first, so that too long a text is not validated at all.
        if bytes.count <= Self.maximumLength, let invalid = firstInvalidUTF8(bytes) {
            throw AppURLError(.notUTF8, at: invalid, in: bytes)
        }
        self = try AppURLParser(bytes).parse()
    }

    /// Puts a URL together from parts that are not encoded.
    ///
    /// - Parameters:
    ///   - scheme: The scheme; it is lower-cased.
    ///   - host: The host; may hold any text but the empty one.
    ///   - port: The port, with a host only.
    ///   - path: The segments; any text but the empty one.
    ///   - query: The items, in order; any text.
    ///   - fragment: The fragment.
    /// - Throws: ``AppURLError`` when a part cannot be written so that parsing gives it back.
    public init(
        scheme: String? = nil, host: String? = nil, port: UInt16? = nil, path: [String] = [],
        query: [QueryItem] = [], fragment: String? = nil
    ) throws(AppURLError) {
        if let scheme, !AppURLParser.isScheme(Array(scheme.utf8)[...]) {
            throw AppURLError(.invalidScheme, at: 0, in: Array(scheme.utf8))
        }
        if host == "" || (host == nil && port != nil) { throw AppURLError(.invalidHost, at: 0, in: []) }
        if path.contains("") { throw AppURLError(.emptySegment, at: 0, in: []) }
        let texts = [host, fragment].compactMap(\.self) + path + query.flatMap { [$0.name, $0.value] }
        if let text = texts.first(where: AppURLParser.hasTooManyMarks) {
            throw AppURLError(.tooManyMarks, at: 0, in: Array(text.utf8))
        }
        self.init(
            parsedScheme: scheme?.lowercased(), hasHost: host != nil, port: port,
            segments: (host.map { [$0] } ?? []) + path, query: query, fragment: fragment)
        let length = description.utf8.count
        if length > Self.maximumLength {
            throw AppURLError(.tooLong(length), at: Self.maximumLength, in: Array(description.utf8))
        }
    }

    init(
        parsedScheme: String?, hasHost: Bool, port: UInt16?, segments: [String], query: [QueryItem],
        fragment: String?
    ) {
        self.scheme = parsedScheme
        self.hasHost = hasHost
        self.port = port
        self.segments = segments
        self.query = query
        self.fragment = fragment
    }

    /// Whether a parameter's name begins with `@`: such names are dropped from calls from outside.
    ///
    /// It goes by the first code point. `hasPrefix` goes by characters, and finds no `@` where a joiner or a mark
    /// follows it.
    ///
    /// - Parameter name: The name, decoded.
    /// - Returns: Whether it is reserved.
    public static func isReserved(_ name: String) -> Bool { name.utf8.first == .at }

    /// The query as a dictionary: a name that stands once gives a `String`, a repeated one a `[String]`
    /// with the values in order.
    ///
    /// - Complexity: O(number of items).
    public func queryValues() -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        values.reserveCapacity(query.count)
        // Apart, so that they grow in place: a URL may repeat one name 30,000 times.
        var repeated: [String: [String]] = [:]
        for item in query {
            guard let earlier = values.updateValue(item.value, forKey: item.name) as? String else { continue }
            repeated[item.name, default: [earlier]].append(item.value)
        }
        for (name, texts) in repeated { values[name] = texts }
        return values
    }
}
