import Foundation

extension URL {
    /// Whether a request to this URL may carry secrets: nobody on the way can read it, because it is encrypted
    /// (`https`) or does not leave this machine (`http` to a loopback host).
    public var isSafeForSecrets: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host()?.lowercased() ?? "")
        default: false
        }
    }
}
