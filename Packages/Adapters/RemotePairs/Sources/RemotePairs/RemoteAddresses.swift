import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore

/// The addresses at which pairs are served: `host:port,host:port`, or `dns:name:port`.
///
/// Each host in a list is an IPv4 address, an IPv6 address in brackets, or `localhost`. A name after `dns:` is resolved
/// again for each new connection.
public struct RemoteAddresses: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case list([Entry])
        case name(String, port: Int)
    }

    /// One entry of a list. `localhost` has an IPv4 and an IPv6 address.
    struct Entry: Sendable, Hashable {
        let hosts: [String]
        let port: Int
    }

    let kind: Kind
    public let description: String

    /// Parses `host:port,host:port` or `dns:name:port`.
    ///
    /// - Throws: ``RemoteSetupError`` if `text` has neither form.
    public init(_ text: String) throws(RemoteSetupError) {
        description = text
        if text.hasPrefix("dns:") {
            let (name, port) = try Self.split(text.dropFirst(4), of: text)
            guard !name.isEmpty, !name.contains(where: { ":[]/ ".contains($0) }) else {
                throw Self.error(text, "'\(name)' is not a host name")
            }
            kind = .name(String(name), port: port)
        } else {
            var entries: [Entry] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                entries.append(try Self.entry(part, of: text))
            }
            kind = .list(entries)
        }
    }

    /// Whether all addresses are loopback addresses, so that no other machine can read or forge calls.
    var isLoopback: Bool {
        guard case .list(let entries) = kind else { return false }
        return entries.allSatisfy { $0.hosts.allSatisfy { $0.hasPrefix("127.") || $0 == "::1" } }
    }

    private var ports: [Int] {
        switch kind {
        case .list(let entries): entries.map(\.port)
        case .name(_, let port): [port]
        }
    }

    private static func entry(_ part: Substring, of text: String) throws(RemoteSetupError) -> Entry {
        let (host, port) = try split(part, of: text)
        if host == "localhost" { return Entry(hosts: ["127.0.0.1", "::1"], port: port) }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = String(host.dropFirst().dropLast())
            guard case .v6 = try? NIOCore.SocketAddress(ipAddress: address, port: port) else {
                throw error(text, "'\(address)' is not an IPv6 address")
            }
            return Entry(hosts: [address], port: port)
        }
        guard case .v4 = try? NIOCore.SocketAddress(ipAddress: String(host), port: port) else {
            throw error(
                text,
                host.contains(":")
                    ? "the IPv6 address '\(host)' is not in brackets" : "'\(host)' is not an address")
        }
        return Entry(hosts: [String(host)], port: port)
    }

    private static func split(
        _ part: Substring, of text: String
    ) throws(RemoteSetupError) -> (host: Substring, port: Int) {
        guard let colon = part.lastIndex(of: ":") else { throw error(text, "'\(part)' has no port") }
        let digits = part[part.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), port <= 65535 else {
            throw error(text, "'\(digits)' is not a port")
        }
        return (part[..<colon], port)
    }

    private static func error(_ text: String, _ what: String) -> RemoteSetupError {
        RemoteSetupError(
            place: "the addresses '\(text)'", what: what,
            why: "each process that serves a pair is found by its host and port",
            fix: "write a list such as 127.0.0.1:7443,[::1]:7443, or a name such as dns:gate.internal:7443")
    }
}

/// The error thrown when a connection or a server cannot be set up as requested.
public struct RemoteSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    let place: String
    let what: String
    let why: String
    let fix: String

    public var description: String { "\(place): \(what). Why: \(why). Fix: \(fix)." }
}

// MARK: gRPC's types

extension RemoteAddresses {
    /// Returns the name, or the addresses as gRPC endpoints: either a single endpoint, in which gRPC uses the first
    /// address that answers, or one endpoint for each entry, among which gRPC distributes the calls.
    ///
    /// - Throws: ``RemoteSetupError`` if a port is 0.
    func target(_ balancing: RemoteBalancing) throws(RemoteSetupError) -> any ResolvableTarget {
        guard !ports.contains(0) else {
            throw RemoteSetupError(
                place: "the addresses '\(self)'", what: "port 0 cannot be called",
                why: "when a server listens on port 0, its operating system chooses another port",
                fix: "pass the port that the operating system chose")
        }
        switch kind {
        case .name(let name, let port): return ResolvableTargets.DNS(host: name, port: port)
        case .list(let entries):
            let endpoints = entries.map { Endpoint(addresses: $0.socketAddresses) }
            return StaticTarget(
                endpoints: balancing == .first
                    ? [Endpoint(addresses: endpoints.flatMap(\.addresses))] : endpoints)
        }
    }

    /// The address to listen on.
    ///
    /// - Throws: ``RemoteSetupError`` unless there is exactly one entry.
    func listeningAddress() throws(RemoteSetupError) -> GRPCNIOTransportCore.SocketAddress {
        guard case .list(let entries) = kind, entries.count == 1,
            let address = entries[0].socketAddresses.first
        else {
            throw RemoteSetupError(
                place: "the address '\(self)'", what: "a server cannot listen on it",
                why: "a server listens on one address of its machine",
                fix: "pass one address, such as 127.0.0.1:7443 or 0.0.0.0:7443")
        }
        return address
    }
}

extension RemoteAddresses.Entry {
    var socketAddresses: [GRPCNIOTransportCore.SocketAddress] {
        hosts.map { $0.contains(":") ? .ipv6(host: $0, port: port) : .ipv4(host: $0, port: port) }
    }
}

struct StaticTarget: ResolvableTarget {
    let endpoints: [Endpoint]
}

/// gRPC's own address lists cannot mix IPv4 and IPv6, so this resolver returns a list of endpoints unchanged.
struct StaticResolver: NameResolverFactory {
    func resolver(for target: StaticTarget) -> NameResolver {
        let result = NameResolutionResult(endpoints: target.endpoints, serviceConfig: nil)
        return NameResolver(names: RPCAsyncSequence(wrapping: Names(result: result)), updateMode: .pull)
    }

    private struct Names: AsyncSequence, Sendable {
        let result: NameResolutionResult

        func makeAsyncIterator() -> Iterator { Iterator(result: result) }

        struct Iterator: AsyncIteratorProtocol {
            let result: NameResolutionResult

            func next(isolation: isolated (any Actor)?) async throws(any Error) -> NameResolutionResult? {
                result
            }
        }
    }
}
