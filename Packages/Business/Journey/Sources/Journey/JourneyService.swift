import APIService
import ApiCenter
import Foundation
import JourneyApi
import Locking
import Money
import Storage
import UserApi

/// Journey's IMP: one object, shared by all callers.
final class JourneyService: JourneyApiProtocol {
    /// The stored data: each passenger's journeys, oldest first.
    typealias Saved = [String: [Journey]]

    /// What Journey works with once it is open.
    private struct Parts: Sendable {
        weak let center: ApiCenter?
        let saved: Document<Saved>
        let statements: Statements
    }

    private let parts = SetOnce<Parts>()

    /// Opens the journeys. Called once. Until then, nobody is logged in.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    func open(in center: ApiCenter) throws {
        let storage = try center.requireApi(type: Storage.self)
        parts.set(
            Parts(
                center: center, saved: try storage.document("journeys", version: 1, default: Saved()),
                statements: Statements(
                    network: try center.requireApi(type: APIService.self), folder: storage.folder)))
    }

    func journeys(limit: Int) throws(JourneyApiError) -> [Journey] {
        let (parts, passenger) = try opened()
        return parts.saved.value[passenger, default: []].suffix(max(0, limit)).reversed()
    }

    @concurrent func record(_ journey: Journey) async throws(JourneyApiError) {
        let (parts, passenger) = try opened()
        try parts.saved.update(orThrow: JourneyApiError.notSaved) {
            $0[passenger, default: []].append(journey)
        }
    }

    func statement() async throws(JourneyApiError) -> [String] {
        let (parts, passenger) = try opened()
        do {
            return try await parts.statements.lines(of: passenger)
        } catch {
            throw .unreachable("\(error)")
        }
    }

    /// What Journey works with, and the logged-in passenger.
    private func opened() throws(JourneyApiError) -> (Parts, passenger: String) {
        guard let parts = parts.value, let session = parts.center?.api(type: UserApiProtocol.self)?.session
        else { throw .notLoggedIn }
        return (parts, session.id)
    }
}

extension Journey {
    /// The journey as a line of text for the passenger.
    var line: String { "\(day) \(from) - \(to)" + (cents.map { ", \(Money(cents: $0))" } ?? "") }

    /// The day of the journey, such as 2026-11-25.
    var day: String { date.formatted(.iso8601.year().month().day()) }
}
