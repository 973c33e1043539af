import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP header fields, with case-insensitive names, in the order they were set.
public struct APIHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was set.
        public let name: String
        /// The value.
        public let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }

        /// - Throws: An error if the name is not a token, or the value contains a control character (RFC 9110,
        ///   5.5 and 5.6.2). The error does not contain the value, which may be a secret.
        func check() throws(APIRequestError) {
            guard PercentEncoding.isToken(name) else {
                throw .invalidHeader("\(name.debugDescription) is not the name of a header field")
            }
            guard hasValidValue else {
                throw .invalidHeader(
                    "the value of \(name) contains a line break or another control character")
            }
        }

        /// Whether the field can be sent.
        package var isValid: Bool { PercentEncoding.isToken(name) && hasValidValue }

        private var hasValidValue: Bool {
            value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    private var fields: [Field] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of these fields, sorted by name.
    ///
    /// Complexity: O(*n* log *n*), because a server may send many fields.
    public init(_ fields: [String: String]) {
        let sorted = fields.sorted { $0.key < $1.key }
        let unique = Dictionary(sorted.enumerated().map { ($1.key.lowercased(), $0) }) { $1 }
        self.fields = unique.values.sorted().map { Field(name: sorted[$0].key, value: sorted[$0].value) }
    }

    /// Creates a collection from a literal, for example `["Accept": "text/plain"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field, regardless of the case of its name. Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get { index(name).map { fields[$0].value } }
        set {
            let index = index(name)
            switch (index, newValue) {
            case (let index?, let value?): fields[index] = Field(name: name, value: value)
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Iterates over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    private func index(_ name: String) -> Int? {
        let lower = name.lowercased()
        return fields.firstIndex { $0.name.lowercased() == lower }
    }

    /// Whether both collections have the same fields, regardless of their order and the case of their names.
    public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }

    /// Hashes the fields, regardless of their order and the case of their names.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private var folded: [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { $1 }
    }
}

/// The header fields of a request.
public typealias APIRequestHeaders = APIHeaders

extension URLRequest {
    /// Sets the header fields of a request that has none, in one assignment: on Linux, setting a single field takes
    /// longer than creating the request.
    mutating func set(_ headers: APIHeaders) throws(APIRequestError) {
        var fields: [String: String] = [:]
        for field in headers {
            try field.check()
            fields[field.name] = field.value
        }
        allHTTPHeaderFields = fields
    }

    /// Sets a header field. (`setValue(_:forHTTPHeaderField:)` silently drops a value with a line break.)
    mutating func set(_ value: String, for name: String) throws(APIRequestError) {
        try APIHeaders.Field(name: name, value: value).check()
        setValue(value, forHTTPHeaderField: name)
    }

    /// Checks everything that a server could read as a second request, or two clients as different ones. Every request is
    /// checked here before it is sent.
    ///
    /// - Throws: An error if the method or a header field is invalid.
    func check() throws(APIRequestError) {
        try method.check()
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try APIHeaders.Field(name: name, value: value).check()
        }
    }
}
