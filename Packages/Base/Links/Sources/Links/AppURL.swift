/// A parsed URL of the app: `scheme://host/segment/segment?name=value#fragment`.
///
/// Mediator and Routes share this parser. Unlike Foundation's parser, it gives the same results in every
/// version of the operating system, and defines a meaning or an error for every byte string. The package's README
/// contains the grammar and the differences from RFC 3986. In short:
///
/// - The scheme is optional (`bybus_vc` is a URL with one segment) and is lower-cased.
/// - The host names a module (`app://moduleA/describe`). It is ASCII and is lower-cased, because systems lower-case
///   hosts and rewrite other letters as punycode.
/// - The path is split at `/` before it is percent-decoded. Empty segments are dropped, so trailing, leading
///   and doubled slashes have no effect. `.` and `..` are ordinary segments.
/// - `+` means a space only in the query. Repeated names are kept, in order.
/// - A percent sequence that is truncated, is not hexadecimal or does not decode to UTF-8 is an error.
/// - A string and the Foundation `URL` made of it are one address, or the string is an error that says why not.
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
    /// The host, if there is one, followed by the decoded segments of the path. No element is empty.
    public let segments: [String]
    /// Whether the first of ``segments`` is the host.
    public let hasHost: Bool
    /// The items of the query, in order.
    public let query: [QueryItem]
    /// The decoded text after the first `#`.
    public let fragment: String?

    /// The decoded host in lower case: `modulea` in `app://moduleA/describe`.
    public var host: String? { hasHost ? segments.first : nil }

    /// The path's segments without the host.
    public var path: ArraySlice<String> { segments.dropFirst(hasHost ? 1 : 0) }

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
