import ApiCenter
import AppModules
import GateApi
import GateRemote
import Lifecycle
import RemotePairs

/// A pair that Host can serve, and call in another process. To support another pair, add it to ``all``.
struct OfferedPair: Sendable {
    let name: String
    /// Returns a remote service for the pair's IMP in a center.
    let service: @Sendable (ApiCenter) throws -> RemoteService
    /// Returns a module that forwards calls to the pair through a connection.
    let client: @Sendable (RemoteConnection) -> any Module

    static let all = [
        OfferedPair(
            name: "Gate", service: { GateRemote.service(try $0.requireApi(type: GateApiProtocol.self)) },
            client: { GateRemoteModule($0) })
    ]

    /// Returns the pair with this name.
    static func named(_ name: String) throws(HostError) -> OfferedPair {
        if let pair = all.first(where: { $0.name == name }) { return pair }
        guard !Registrations.names.contains(name) else {
            throw HostError(
                place: "the pair '\(name)'", what: "Host cannot serve it or call it in another process",
                why: "only pairs with a generated package can run in another process",
                fix: "run `Scripts/modules remote \(name)`, and add the pair to OfferedPair.swift")
        }
        throw HostError(
            place: "the pair '\(name)'", what: "this app has no such pair",
            why: "pairs are identified by their names in Package.swift",
            fix: "use one of: \(all.map(\.name).joined(separator: ", "))")
    }
}

/// A module that calls a pair in another process. Its name includes the address.
struct RemoteModule: ModuleWrapper {
    let wrapped: any Module
    let name: String

    init(_ pair: OfferedPair, at addresses: RemoteAddresses, through connection: RemoteConnection) {
        wrapped = pair.client(connection)
        name = "\(pair.name) at \(addresses)"
    }
}
