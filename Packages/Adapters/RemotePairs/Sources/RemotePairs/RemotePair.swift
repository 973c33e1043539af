import GRPCCore

/// A module pair whose Api other processes can call: its names and its versions.
///
/// A generated package declares one constant of this type.
public struct RemotePair: Sendable {
    /// The key of the header that states the caller's versions.
    static let header = "pair-version"

    /// The name of the pair, such as `Gate`.
    public let name: String
    let service: ServiceDescriptor
    let api: RemoteVersion
    let imp: RemoteVersion
    /// The value of the ``header`` field in each call of this pair.
    let statement: String
    /// The headers of each call, built once.
    let metadata: Metadata

    /// - Parameters:
    ///   - name: The name of the pair.
    ///   - service: The module and the name of the Api's protocol, such as `GateApi.GateApiProtocol`.
    ///   - api: The version of the Api that the process was built with.
    ///   - imp: The version of the IMP. Only the process that serves the pair uses it.
    ///   - floor: The lowest IMP version that works with the Api.
    public init(
        _ name: String, service: String, api: RemoteVersion, imp: RemoteVersion, floor: RemoteVersion
    ) {
        self.name = name
        self.service = ServiceDescriptor(fullyQualifiedService: service)
        (self.api, self.imp) = (api, imp)
        statement = "api=\(api) floor=\(floor)"
        metadata = [Self.header: .string(statement)]
    }

    /// Refuses a call if the caller's Api and the served pair are incompatible.
    ///
    /// - Throws: An `RPCError` whose message names both versions, and what to update.
    func check(_ headers: Metadata) throws(RPCError) {
        let stated = headers[stringValues: Self.header].first { _ in true }
        // Both processes were built from the same release.
        if stated == statement { return }
        guard let stated, let (theirs, floor) = Self.parse(stated) else {
            throw RPCError(
                code: .failedPrecondition,
                message: """
                    The caller does not send its version of \(name)Api in the header \(Self.header), so \(name) \
                    \(imp) cannot tell whether the two are compatible. Call through the generated package \(name)Remote.
                    """)
        }
        guard theirs.major == api.major else {
            throw RPCError(
                code: .failedPrecondition,
                message: """
                    The caller was built with \(name)Api \(theirs), and the server with \(name)Api \(api). Different \
                    major versions are incompatible. Update the \(theirs < api ? "caller" : "server") to \
                    \(name)Api \(max(theirs, api)).
                    """)
        }
        guard floor <= imp else {
            throw RPCError(
                code: .failedPrecondition,
                message: """
                    The caller's \(name)Api \(theirs) needs \(name) \(floor) or later, and the server runs \(name) \
                    \(imp). Update the server to \(name) \(floor).
                    """)
        }
    }

    private static func parse(_ statement: String) -> (api: RemoteVersion, floor: RemoteVersion)? {
        let parts = statement.split(separator: " ")
        guard parts.count == 2, parts[0].hasPrefix("api="), parts[1].hasPrefix("floor="),
            let api = RemoteVersion(parts[0].dropFirst(4)), let floor = RemoteVersion(parts[1].dropFirst(6))
        else { return nil }
        return (api, floor)
    }
}

/// The version of an Api or an IMP, as in VERSIONS.md.
public struct RemoteVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    let major: Int
    let minor: Int
    let patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 3, text.allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }) else {
            return nil
        }
        self.init(parts[0], parts[1], parts[2])
    }

    public var description: String { "\(major).\(minor).\(patch)" }

    public static func < (one: Self, other: Self) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
}
