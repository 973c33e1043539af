import Foundation
import Testing

@testable import APITransport

@Suite("Public key pins")
struct PublicKeyTests {
    @Test(
        "Each kind of key has the same SubjectPublicKeyInfo as in OpenSSL",
        arguments: [
            (65, 4, "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
            (97, 4, "3076301006072a8648ce3d020106052b81040022036200"),
            (133, 4, "30819b301006072a8648ce3d020106052b8104002303818600"),
            (270, 0x30, "30820122300d06092a864886f70d01010105000382010f00"),
            (526, 0x30, "30820222300d06092a864886f70d01010105000382020f00"),
        ] as [(Int, UInt8, String)])
    func info(count: Int, first: UInt8, head: String) {
        let key = Data([first]) + Data(repeating: 7, count: count - 1)
        let info = APIPublicKey.subjectPublicKeyInfo(key)
        let digits = info.dropLast(count).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(digits.joined() == head)
        #expect(info.suffix(count) == key)
    }

    @Test("A pin is a Base64-encoded SHA-256 hash")
    func pin() {
        #expect(
            APIPublicKey.pin(ofSubjectPublicKeyInfo: Data("abc".utf8))
                == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    @Test(
        "The error for an untrusted server names the host, the cause and the fix",
        arguments: [("h", "h"), ("", "the server")])
    func untrusted(host: String, name: String) {
        #expect(
            APIUntrustedServer(host: host, underlying: Failure("no such key")).description
                == "the certificate of \(name) is not trusted: no such key. Trust its issuer or pin its key in the "
                + "client's settings, or replace the server's certificate")
    }
}
