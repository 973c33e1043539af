import Foundation

extension Double {
    /// A number of seconds as a short text.
    var asDuration: String {
        switch self {
        case ..<0.0001: "<0.1 ms"
        case ..<0.01: String(format: "%.1f ms", self * 1e3)
        case ..<1: String(format: "%.0f ms", self * 1e3)
        default: String(format: "%.1f s", self)
        }
    }
}
