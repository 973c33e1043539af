import APIService
import ApiCenter
import ErrorCode
import Foundation
import LoggerApi
import Money
import PayTypeApi
import RideApi
import Storage
import TransitRequests
import UserApi

/// PayType's IMP: one object, shared by all callers. The operator's server keeps the wallets, and this object keeps the
/// server's last answers.
final class PayTypeService: PayTypeApiProtocol {
    /// The stored data: the last answer for each passenger, keyed by user ID.
    typealias Saved = [String: Wallet]

    /// A wallet in a file of version 1, which kept the balances that the operator's server keeps now.
    private struct Version1: Decodable {}

    private weak let center: ApiCenter?
    private let network: APIService
    private let notifications: NotificationCenter
    private let saved: Document<Saved>

    /// Opens the last answers.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        self.center = center
        network = try center.requireApi(type: APIService.self)
        notifications = try center.requireApi(type: NotificationCenter.self)
        saved = try center.requireApi(type: Storage.self).document(
            "wallets", version: 2, default: Saved(),
            migrations: [Migration(from: 1) { (_: [String: Version1]) in [:] }])
    }

    let payTypes = Wallet.Means.allCases.map(\.payType)

    var selected: PayType? { session.flatMap { saved.value[$0.id]?.payType } }

    @concurrent func wallet() async throws(PayTypeApiError) -> PayWallet {
        let passenger = try passenger()
        do throws(PayTypeApiError) {
            let answer = try await ask(WalletRequest(requiredUser: passenger))
            guard keep(answer.selected, answer.balance, of: passenger) else { throw .notLoggedIn }
            return PayWallet(selected: answer.selected.map(Wallet.payType), balance: answer.balance)
        } catch {
            // Nobody sees the wallet of a passenger who has logged out while the server was asked.
            guard session?.id == passenger else { throw .notLoggedIn }
            switch error {
            case .unreachable(let why), .outcomeUnknown(let why):
                guard let last = saved.value[passenger] else { throw .unreachable(why) }
                return PayWallet(selected: last.payType, balance: last.balance, lastAnswer: last.date)
            default: throw error
            }
        }
    }

    @concurrent func select(_ id: String, for expected: String?) async throws(PayTypeApiError) {
        guard Wallet.Means(rawValue: id) != nil else { throw .unknown(id: id) }
        let passenger = try passenger(expected)
        let answer = try await ask(SelectionRequest(id, for: passenger), id)
        guard keep(answer.selected, answer.balance, of: passenger) else { throw .notLoggedIn }
        // The code on the screen was issued for the previous payment method.
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    @concurrent func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        let passenger = try passenger(trip.passenger)
        let answer = try await ask(
            PaymentRequest(of: passenger, key: trip.key, exit: trip.exit, from: trip.from, to: trip.to),
            saved.value[passenger]?.selected)
        let former = saved.value[passenger]?.selected
        keep(former ?? answer.paidWith, answer.balance, of: passenger)
        let (purpose, fare) = ("\(trip.from) - \(trip.to)", Money(cents: answer.cents))
        let receipt = Wallet.Means(rawValue: answer.paidWith)?
            .receipt(for: purpose, fare, leaving: Money(cents: answer.balance))
        return Payment(cents: answer.cents, receipt: receipt ?? "\(purpose): \(fare)")
    }

    /// Sends a request to the operator's server.
    ///
    /// - Parameter id: The payment method that the server may refuse.
    private func ask<Request: TransitRequest>(
        _ request: Request, _ id: String? = nil
    ) async throws(PayTypeApiError) -> Request.Payload {
        do {
            return try await network.ask(request).payload
        } catch {
            if case .network(.userChanged) = error { throw .notLoggedIn }
            switch error.refusal {
            case .notLoggedIn, .sessionExpired: throw .notLoggedIn
            case .payTypeUnknown where id == nil: throw .noneSelected
            case let code?:
                throw .refused(name: id.map(Wallet.payType)?.name ?? "Payment", reason: code.message)
            case nil where error.isUnanswered: throw .unreachable(error.description)
            case nil: throw .outcomeUnknown(error.description)
            }
        }
    }

    /// Keeps the server's answer. If it cannot be written, the former answer stays: the server has done what it was
    /// asked, so the caller gets no error.
    ///
    /// If the passenger has logged out, the answer is not kept.
    ///
    /// - Returns: Whether the passenger is still logged in.
    @discardableResult
    private func keep(_ selected: String?, _ balance: Int, of passenger: String) -> Bool {
        guard session?.id == passenger else { return false }
        do {
            try saved.update { $0[passenger] = Wallet(selected: selected, balance: balance, date: Date()) }
        } catch {
            center?.api(type: LoggerApiProtocol.self)?
                .log(.warning, "The operator's answer about a wallet was not saved: \(error)")
        }
        return true
    }

    private var session: UserSession? { center?.api(type: UserApiProtocol.self)?.session }

    /// - Parameter expected: The passenger who must be logged in; nil for anyone.
    private func passenger(_ expected: String? = nil) throws(PayTypeApiError) -> String {
        guard let session, expected == nil || session.id == expected else { throw .notLoggedIn }
        return session.id
    }
}
