/// A parsed URL of the app: `scheme://host/segment/segment?name=value#fragment`.
///
/// Mediator and Routes share this parser. Unlike Foundation's parser, it gives the same results in every
/// version of the operating system, and defines a meaning or an error for every byte string. The package's README
/// contains the grammar and the differences from RFC 3986. In short:
///
/// - The scheme is optional (`bybus_vc` is a URL with one segment) and is lower-cased.
/// - The host keeps its case, because it names a module (`app://moduleA/describe`).
/// - The path is split at `/` before it is percent-decoded. Empty segments are dropped, so trailing, leading
///   and doubled slashes have no effect. `.` and `..` are ordinary segments.
/// - `+` means a space only in the query. Repeated names are kept, in order.
/// - A percent sequence that is truncated, is not hexadecimal or does not decode to UTF-8 is an error.
///
/// Two URLs are equal if all their parts are equal. Parts are compared as Swift strings, by canonical
/// equivalence. Thread-safe. Source: seeds 2 and 4, RFC 3986.
public struct AppURL: Hashable, Sendable {
    /// One decoded `name=value` of the query.
    ///
    /// A name without `=` has an empty value.
    public struct QueryItem: Hashable, Sendable {
        /// The text before the first `=`.
        public let name: String
        /// The text after the first `=`.
        public let value: String

        /// Creates an item from unencoded text.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The maximum length of a URL: 65,536 bytes of UTF-8.
    ///
    /// Longer URLs are errors, which limits the work that an outside URL can cause.
    public static let maximumLength = 65_536
    /// The maximum number of consecutive combining marks in a decoded part: 30.
    ///
    /// Unicode's Stream-Safe Text Format (UAX #15, 13) has the same limit for the same reason: comparing strings sorts
    /// their marks, which takes quadratic time in the number of consecutive marks.
    public static let maximumMarks = 30

    /// The scheme in lower case: `app` in `app://moduleA/describe`.
    public let scheme: String?
    /// The port after the host.
    ///
    /// Routes ignores the port; Mediator rejects a URL that has one.
    public let port: UInt16?
    /// The decoded host, if there is one, followed by the decoded segments of the path. No element is empty.
    public let segments: [String]
    /// Whether the first of ``segments`` is the host.
    public let hasHost: Bool
    /// The items of the query, in order.
    public let query: [QueryItem]
    /// The decoded text after the first `#`.
    public let fragment: String?

    /// The decoded host: `moduleA` in `app://moduleA/describe`.
    public var host: String? { hasHost ? segments.first : nil }

    /// The path's segments without the host.
    public var path: ArraySlice<String> { segments.dropFirst(hasHost ? 1 : 0) }

    /// Parses a URL.
    ///
    /// - Parameter string: The URL's text, percent-encoded where necessary.
    /// - Throws: ``AppURLError`` with the reason and the offset in bytes of UTF-8.
    /// - Complexity: O(length), with one allocation for the text and one for each part.
    public init(_ string: String) throws(AppURLError) {
        self = try AppURLParser(Array(string.utf8)).parse()
    }

    /// Creates a URL from unencoded parts.
    ///
    /// - Parameters:
    ///   - scheme: The scheme, which will be lower-cased.
    ///   - host: The host: any non-empty text.
    ///   - port: The port, which requires a host.
    ///   - path: The segments: any non-empty strings.
    ///   - query: The items, in order.
    ///   - fragment: The fragment.
    /// - Throws: ``AppURLError`` if a part would be lost or different when the printed URL is parsed again.
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

    /// Whether a parameter's name is reserved because it begins with `@`.
    ///
    /// Reserved names are dropped from calls from outside the app. The test checks the first code point, because
    /// `hasPrefix` compares characters and would miss an `@` that is followed by a joiner or a mark.
    ///
    /// - Parameter name: The decoded name.
    /// - Returns: Whether the name is reserved.
    public static func isReserved(_ name: String) -> Bool { name.utf8.first == .at }

    /// The query as a dictionary.
    ///
    /// The value of a name that occurs once is a `String`. The value of a repeated name is a `[String]`, in
    /// order.
    ///
    /// - Complexity: O(number of items).
    public func queryValues() -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        values.reserveCapacity(query.count)
        // The arrays are separate from `values`, so that they grow in place: a URL may repeat a name 30,000 times.
        var repeated: [String: [String]] = [:]
        for item in query {
            guard let earlier = values.updateValue(item.value, forKey: item.name) as? String else { continue }
            repeated[item.name, default: [earlier]].append(item.value)
        }
        for (name, texts) in repeated { values[name] = texts }
        return values
    }
}
