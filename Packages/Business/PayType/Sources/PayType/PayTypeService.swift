import APIService
import ApiCenter
import ErrorCode
import Foundation
import Locking
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

    /// What PayType works with once it is open.
    private struct Parts: Sendable {
        weak let center: ApiCenter?
        let network: APIService
        let notifications: NotificationCenter
        let saved: Document<Saved>

        var session: UserSession? { center?.api(type: UserApiProtocol.self)?.session }
    }

    private let parts = SetOnce<Parts>()

    /// Opens the last answers. Called once. Until then, nobody is logged in.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    func open(in center: ApiCenter) throws {
        parts.set(
            Parts(
                center: center, network: try center.requireApi(type: APIService.self),
                notifications: try center.requireApi(type: NotificationCenter.self),
                saved: try center.requireApi(type: Storage.self).document(
                    "wallets", version: 2, default: Saved(),
                    migrations: [Migration(from: 1) { (_: [String: Version1]) in [:] }])))
    }

    let payTypes = Wallet.Means.allCases.map(\.payType)

    var selected: PayType? {
        guard let (parts, passenger) = try? opened() else { return nil }
        return parts.saved.value[passenger]?.payType
    }

    @concurrent func wallet() async throws(PayTypeApiError) -> PayWallet {
        let (parts, passenger) = try opened()
        do throws(PayTypeApiError) {
            let answer = try await ask(WalletRequest(), of: parts)
            guard keep(answer.selected, answer.balance, of: passenger, in: parts) else { throw .notLoggedIn }
            return PayWallet(
                selected: answer.selected.flatMap(Wallet.Means.init)?.payType, balance: answer.balance)
        } catch {
            // Nobody sees the wallet of a passenger who has logged out while the server was asked.
            guard parts.session?.id == passenger else { throw .notLoggedIn }
            guard case .unreachable = error, let last = parts.saved.value[passenger] else { throw error }
            return PayWallet(selected: last.payType, balance: last.balance, lastAnswer: last.date)
        }
    }

    @concurrent func select(_ id: String) async throws(PayTypeApiError) {
        guard Wallet.Means(rawValue: id) != nil else { throw .unknown(id: id) }
        let (parts, passenger) = try opened()
        let answer = try await ask(SelectionRequest(id), id, of: parts)
        keep(answer.selected, answer.balance, of: passenger, in: parts)
        // The code on the screen was issued for the previous payment method.
        parts.notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    @concurrent func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        let (parts, passenger) = try opened()
        let answer = try await ask(
            PaymentRequest(key: trip.key, exit: trip.exit, from: trip.from, to: trip.to),
            parts.saved.value[passenger]?.selected, of: parts)
        let former = parts.saved.value[passenger]?.selected
        keep(former ?? answer.paidWith, answer.balance, of: passenger, in: parts)
        let (purpose, fare) = ("\(trip.from) - \(trip.to)", Money(cents: answer.cents))
        let receipt = Wallet.Means(rawValue: answer.paidWith)?
            .receipt(for: purpose, fare, leaving: Money(cents: answer.balance))
        return Payment(cents: answer.cents, receipt: receipt ?? "\(purpose): \(fare)")
    }

    /// Sends a request to the operator's server.
    ///
    /// - Parameter id: The payment method that the server may refuse.
    private func ask<Request: TransitRequest>(
        _ request: Request, _ id: String? = nil, of parts: Parts
    ) async throws(PayTypeApiError) -> Request.Payload {
        do {
            return try await parts.network.ask(request).payload
        } catch {
            switch error {
            case .refused(.notLoggedIn), .refused(.sessionExpired): throw .notLoggedIn
            case .refused(.payTypeUnknown) where id == nil: throw .noneSelected
            case .refused(let code):
                let name = payTypes.first { $0.id == id }?.name ?? "Payment"
                throw .refused(name: name, reason: code.message)
            case .network: throw .unreachable(error.description)
            }
        }
    }

    /// Keeps the server's answer. If it cannot be written, the former answer stays: the server has done what it was
    /// asked, so the caller gets no error.
    ///
    /// If the passenger has logged out, the answer is not kept: another passenger may have logged in between the check in
    /// ``opened()`` and the request.
    ///
    /// - Returns: Whether the passenger is still logged in.
    @discardableResult
    private func keep(_ selected: String?, _ balance: Int, of passenger: String, in parts: Parts) -> Bool {
        guard parts.session?.id == passenger else { return false }
        do {
            try parts.saved.update {
                $0[passenger] = Wallet(selected: selected, balance: balance, date: Date())
            }
        } catch {
            parts.center?.api(type: LoggerApiProtocol.self)?
                .log(.warning, "The operator's answer about a wallet was not saved: \(error)")
        }
        return true
    }

    /// What PayType works with, and the logged-in passenger.
    private func opened() throws(PayTypeApiError) -> (Parts, passenger: String) {
        guard let parts = parts.value, let session = parts.session else { throw .notLoggedIn }
        return (parts, session.id)
    }
}
