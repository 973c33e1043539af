import Money
import Storage
import Synchronization

/// The passengers' wallets and the fares, which only the operator's server knows. Thread-safe.
final class OperatorWallets: Sendable {
    /// A refusal: one of the operator's codes.
    struct Refusal: Error {
        let code: Int
    }

    struct Wallet: Codable, Sendable {
        var selected: String?
        /// The prepaid balance in cents. Every new passenger gets a starting credit.
        var balance = 1000
    }

    struct Payment: Codable, Sendable {
        let cents: Int
        let paidWith: String
        let balance: Int
    }

    private struct State: Codable, Sendable {
        var wallet = Wallet()
        /// The payments taken, by the keys of their rides.
        var payments: [String: Payment] = [:]
        /// The lines of the statement, oldest first, each as long as its payment; nil in a file of an earlier version.
        var statement: [String]?
        /// The stations of the passages that the gates have reported, by the keys of the passages; nil until the first
        /// report. A payment removes its two passages.
        var passages: [String: String]?
        /// The key of the first passage that a gate reported.
        var first: String?
    }

    private static let line = ["North Gate", "Museum", "Old Town", "Harbour", "University", "South Gate"]
    private static let devices: Set = ["phone", "watch"]

    /// The sample day has one passenger. The document is nil until ``keep(in:)``.
    private let state = Mutex((State(), Document<State>?.none))

    var wallet: Wallet { state.withLock { $0.0.wallet } }

    /// The paid journeys, one line each, newest first.
    var statement: [String] { state.withLock { ($0.0.statement ?? []).reversed() } }

    /// Reads the wallets of earlier days, and keeps them from now on. They stand in the app's storage, because the sample
    /// has no other place that survives a day.
    func keep(in storage: Storage) throws {
        let document = try storage.document("operator", version: 1, default: State())
        state.withLock { $0 = (document.value, document) }
    }

    private func change<Value: Sendable>(_ body: (inout State) throws(Refusal) -> Value) throws(Refusal)
        -> Value
    {
        try state.withLock { (state) throws(Refusal) in
            var new = state.0
            let value = try body(&new)
            do {
                try state.1?.update { [new] in $0 = new }
            } catch {
                throw Refusal(code: 9999)
            }
            state.0 = new
            return value
        }
    }

    /// Selects a payment method. The passenger's only card on file has expired.
    func select(_ id: String) throws(Refusal) -> Wallet {
        guard id != "bank-card" else { throw Refusal(code: 5002) }
        guard ["balance", "month-pass"].contains(id) else { throw Refusal(code: 5001) }
        return try change { state throws(Refusal) in
            state.wallet.selected = id
            return state.wallet
        }
    }

    /// Records a gate's report of a passage.
    func report(key: String, station: String) throws(Refusal) {
        try change { state in
            if state.passages == nil { state.first = key }
            state.passages = (state.passages ?? [:]).merging([key: station]) { $1 }
        }
    }

    /// Computes the fare of a ride and takes it, once for each key. The stations are those that the gates reported. An
    /// operator to whom no gate has ever reported takes the app's word for them. If the exit is the first passage that a
    /// gate reported, the ride began before, so the operator takes the app's word for its first station.
    ///
    /// - Parameters:
    ///   - key: The key of the passage where the ride began.
    ///   - exit: The key of the passage where the ride ended.
    ///   - claim: The stations, as the app names them.
    func pay(
        key: String, exit: String, claim: (from: String, to: String), device: String?
    ) throws(Refusal) -> Payment {
        try change { state throws(Refusal) in
            if let payment = state.payments[key] { return payment }
            let passages = state.passages ?? [key: claim.from, exit: claim.to]
            guard let from = passages[key] ?? (exit == state.first ? claim.from : nil),
                let to = passages[exit]
            else { throw Refusal(code: 4005) }
            guard let cents = Self.fare(from: from, to: to) else { throw Refusal(code: 5003) }
            guard let means = device ?? state.wallet.selected else { throw Refusal(code: 5001) }
            if device != nil, !Self.devices.contains(means) { throw Refusal(code: 5001) }
            if means == "balance" {
                guard cents <= state.wallet.balance else { throw Refusal(code: 5004) }
                state.wallet.balance -= cents
            }
            let payment = Payment(cents: cents, paidWith: means, balance: state.wallet.balance)
            state.payments[key] = payment
            state.statement = (state.statement ?? []) + ["\(from) - \(to), \(Money(cents: cents)), \(means)"]
            for passage in [key, exit] { state.passages?[passage] = nil }
            return payment
        }
    }

    /// €2.00 for the first stop and €0.50 for each further one; nil if a station is not on the line.
    private static func fare(from: String, to: String) -> Int? {
        guard let from = line.firstIndex(of: from), let to = line.firstIndex(of: to) else { return nil }
        return 200 + 50 * max(0, abs(from - to) - 1)
    }
}
