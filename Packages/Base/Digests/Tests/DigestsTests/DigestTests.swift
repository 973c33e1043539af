import Digests
import Foundation
import TestSupport
import Testing

@Suite("Digests")
struct DigestTests {
    @Test(
        "SHA-256 matches the standard's test vectors, including one that needs a second block",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, hex: String) { #expect(Digest.sha256(Data(text.utf8)) == hex) }

    @Test(
        "HMAC-SHA-256 matches RFC 4231's test vectors, and Python for a key as long as a block",
        arguments: [
            (
                Data(repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Data("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Data(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            // Of the module hmac of Python.
            (
                Data(repeating: 0x0b, count: 64), "Hi There",
                "21cd586aeca0579d99a1c938127c92525a371f807bc5ba6eb78bc825bd4f2be3"
            ),
        ])
    func hmac(key: Data, message: String, hex: String) {
        #expect(Digest.hmacSHA256(Data(message.utf8), key: key) == hex)
    }

    @Test(
        "FNV-1a matches RFC 9923's test vectors",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ])
    func fnv(text: String, checksum: UInt64) { #expect(Digest.fnv1a(Data(text.utf8).span) == checksum) }

    @Test("The checksum of bytes in two places is that of the same bytes in one place", arguments: 0...6)
    func fnvOfParts(length: Int) {
        let text = Data("foobar".utf8)
        let first = Digest.fnv1a(text.prefix(length).span)
        #expect(Digest.fnv1a(text.dropFirst(length).span, after: first) == Digest.fnv1a(text.span))
    }

    @Test("A signature depends on the message")
    func signature() {
        let key = Data("secret".utf8)
        let signature = Digest.hmacSHA256(Data("GET\n/journeys".utf8), key: key)
        #expect(Digest.areEqual(signature, Digest.hmacSHA256(Data("GET\n/journeys".utf8), key: key)))
        #expect(!Digest.areEqual(signature, Digest.hmacSHA256(Data("GET\n/user".utf8), key: key)))
    }

    @Test("areEqual agrees with == for equal digests, for a difference in any byte, and for other lengths")
    func equality() {
        let digest = Digest.sha256(Data("abc".utf8))
        #expect(Digest.areEqual(digest, digest))
        #expect(Digest.areEqual("", ""))
        for index in digest.indices {
            var other = digest
            other.replaceSubrange(index...index, with: "x")
            #expect(!Digest.areEqual(digest, other))
        }
        for other in ["", String(digest.dropLast()), digest + "0"] {
            #expect(!Digest.areEqual(digest, other) && !Digest.areEqual(other, digest))
        }
    }

    @Test("Every Swift block in the README of Digests equals the code in the file that the block names")
    func readme() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 1)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
