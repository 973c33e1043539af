import Prices

/// Menu's interface for other modules.
///
/// All methods are thread-safe.
public protocol MenuApiProtocol: Sendable {
    /// Returns the drinks and their prices, one per line.
    func text() -> String

    /// Returns the drinks that are for sale.
    func drinks() -> [Drink]
}
