import RemotePairs
import TestSupport
import Testing

@Suite("Addresses", .oneAtATime)
struct AddressTests {
    @Test(
        "Loopback addresses need no certificate",
        arguments: ["127.0.0.1:80", "localhost:1", "[::1]:65535", "127.0.0.1:1,localhost:2,[::1]:3"])
    func loopback(text: String) throws {
        let addresses = try RemoteAddresses(text)
        #expect(addresses.description == text)
        _ = try RemoteConnection(to: addresses)
    }

    @Test(
        "Other addresses need mutual TLS or an explicitly insecure connection",
        arguments: [
            "10.0.0.1:80", "[2001:db8::1]:80", "127.0.0.1:1,10.0.0.1:2", "dns:localhost:80", "0.0.0.0:80",
        ])
    func others(text: String) throws {
        let addresses = try RemoteAddresses(text)
        let error = #expect(throws: RemoteSetupError.self) { try RemoteConnection(to: addresses) }
        #expect("\(try #require(error))".contains("'\(text)': it is not on this machine"))
        _ = try RemoteConnection(to: addresses, security: .insecure)
    }

    @Test(
        "An invalid address is refused with a reason",
        arguments: [
            ("", "'' has no port"), ("127.0.0.1", "'127.0.0.1' has no port"),
            ("127.0.0.1:", "'' is not a port"),
            ("127.0.0.1:65536", "'65536' is not a port"), ("127.0.0.1:-1", "'-1' is not a port"),
            ("127.0.0.1:1,", "'' has no port"), ("::1:80", "the IPv6 address '::1' is not in brackets"),
            ("[::g]:80", "'::g' is not an IPv6 address"), ("gate:80", "'gate' is not an address"),
            ("256.0.0.1:80", "'256.0.0.1' is not an address"),
            ("127.0.0.1:1, 127.0.0.1:2", "is not an address"),
            ("dns:gate", "'gate' has no port"), ("dns::80", "'' is not a host name"),
            ("dns:a:1,dns:b:2", "is not a host name"),
        ])
    func refused(text: String, reason: String) throws {
        let error = #expect(throws: RemoteSetupError.self) { try RemoteAddresses(text) }
        let description = "\(try #require(error))"
        #expect(description.hasPrefix("the addresses '\(text)': "))
        #expect(description.contains(reason))
        #expect(description.hasSuffix("or a name such as dns:gate.internal:7443."))
    }

    @Test("Port 0 cannot be called", arguments: ["127.0.0.1:1,127.0.0.1:0", "dns:localhost:0"])
    func portZero(text: String) throws {
        let addresses = try RemoteAddresses(text)
        let error = #expect(throws: RemoteSetupError.self) {
            try RemoteConnection(to: addresses, security: .insecure)
        }
        #expect(
            "\(try #require(error))".hasPrefix("the addresses '\(text)': port 0 cannot be called."))
    }

    @Test(
        "A server refuses to listen on several addresses or on a name",
        arguments: ["127.0.0.1:1,127.0.0.1:2", "dns:localhost:80"])
    func listening(text: String) throws {
        #expect(throws: RemoteSetupError.self) {
            try RemoteServer([], on: RemoteAddresses(text), security: .insecure)
        }
    }

    @Test(
        "Connections to localhost, IPv6 addresses and names succeed",
        arguments: ["localhost", "[::1]", "dns:localhost"])
    func kinds(host: String) async throws {
        let listening = host == "[::1]" ? "[::1]:0" : "127.0.0.1:0"
        let server = try RemoteServer([DoorRemote.service(TestDoor())], on: RemoteAddresses(listening))
        try await running(server.run, stop: server.stop) {
            let port = try await server.address.split(separator: ":").last ?? ""
            let connection = try RemoteConnection(
                to: RemoteAddresses("\(host):\(port)"), security: .insecure, options: .patient)
            try await running(connection.run, stop: connection.stop) {
                try await DoorRemoteClient(connection: connection).reset()
            }
        }
    }
}
