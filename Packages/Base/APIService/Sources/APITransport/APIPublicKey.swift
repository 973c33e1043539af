import Digests
import Foundation

/// Computes the pins of public keys.
public enum APIPublicKey {
    /// Returns the pin of a key: the Base64-encoded SHA-256 digest of its SubjectPublicKeyInfo (RFC 7469, 2.4).
    public static func pin(ofSubjectPublicKeyInfo info: Data) -> String {
        let digits = Array(Digest.sha256(info))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return Data(bytes).base64EncodedString()
    }

    /// Returns the SubjectPublicKeyInfo (RFC 5280, 4.1.2.7) of a key. The key has the format of
    /// `SecKeyCopyExternalRepresentation`: PKCS #1 for an RSA key, X9.63 for an elliptic-curve key.
    static func subjectPublicKeyInfo(_ key: Data) -> Data {
        let algorithm: [UInt8] =
            switch (key.first, key.count) {
            case (4, 65):  // id-ecPublicKey, prime256v1
                [0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
            case (4, 97):  // id-ecPublicKey, secp384r1
                [0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 5, 0x2b, 0x81, 4, 0, 0x22]
            case (4, 133):  // id-ecPublicKey, secp521r1
                [0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 5, 0x2b, 0x81, 4, 0, 0x23]
            default:  // rsaEncryption, null
                [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 0x05, 0]
            }
        return Data(element(0x30, element(0x30, algorithm) + element(0x03, [0] + key)))
    }

    /// Returns a DER element.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = [UInt8(truncatingIfNeeded: content.count)]
        if content.count > 127 {
            var rest = content.count >> 8
            while rest > 0 {
                length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag] + length + content
    }
}
