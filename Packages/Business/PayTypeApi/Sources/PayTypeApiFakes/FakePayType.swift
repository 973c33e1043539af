import Foundation
import PayTypeApi
import Synchronization

/// A PayType for tests, without a server: each ride costs €3.00. Thread-safe.
public final class FakePayType: PayTypeApiProtocol {
    /// Runs before a call takes effect, and returns the error that the call throws; nil if it succeeds.
    ///
    /// The argument is `selected`, `wallet`, `pay`, or `select` with the identifier, such as `select card`. The property
    /// `selected` ignores the error.
    public typealias Hook = @Sendable (_ call: String) -> PayTypeApiError?

    /// The arguments of a call of ``select(_:for:)``.
    public struct Selection: Sendable, Hashable {
        /// The identifier of the payment method.
        public let id: String
        /// The passenger whom the caller named; nil if the caller named nobody.
        public let passenger: String?

        /// Creates a selection.
        public init(_ id: String, for passenger: String?) { (self.id, self.passenger) = (id, passenger) }
    }

    private struct State {
        var selected: String?
        var selections: [Selection] = []
        var trips: [PayTrip] = []
        var before: Hook?
    }

    public let payTypes: [PayType]
    private let lastAnswer: Date?
    private let state: Mutex<State>

    /// Creates a PayType.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the payment methods, which are also their names.
    ///   - selected: The identifier of the selected one, which may be one that the app does not offer.
    ///   - lastAnswer: When the operator answered last, if ``wallet()`` returns what it said then; nil if it answers.
    public init(_ ids: String..., selected: String? = nil, lastAnswer: Date? = nil) {
        self.lastAnswer = lastAnswer
        payTypes = ids.map { PayType(id: $0, name: $0) }
        state = Mutex(State(selected: selected))
    }

    /// The hook, which the test may replace at any time, even in a call.
    public var before: Hook? {
        get { state.withLock { $0.before } }
        set { state.withLock { $0.before = newValue } }
    }

    /// The calls of ``select(_:for:)``, refused ones included.
    public var selections: [Selection] { state.withLock { $0.selections } }

    /// The trips whose payment was asked for, refused ones included.
    public var trips: [PayTrip] { state.withLock { $0.trips } }

    public var selected: PayType? {
        _ = before?("selected")
        return state.withLock { $0.selected }.map { PayType(id: $0, name: $0) }
    }

    /// Selects a payment method, or none, without the hook.
    public func setSelected(_ id: String?) { state.withLock { $0.selected = id } }

    public func wallet() throws(PayTypeApiError) -> PayWallet {
        if let error = before?("wallet") { throw error }
        return PayWallet(selected: selected, balance: nil, lastAnswer: lastAnswer)
    }

    public func select(_ id: String, for passenger: String?) throws(PayTypeApiError) {
        state.withLock { $0.selections.append(Selection(id, for: passenger)) }
        if let error = before?("select \(id)") { throw error }
        setSelected(id)
    }

    public func pay(_ trip: PayTrip) throws(PayTypeApiError) -> Payment {
        state.withLock { $0.trips.append(trip) }
        if let error = before?("pay") { throw error }
        return Payment(cents: 300, receipt: "\(trip.from) - \(trip.to)")
    }
}
