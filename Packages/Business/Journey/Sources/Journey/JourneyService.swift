import APIService
import ApiCenter
import Foundation
import JourneyApi
import Money
import Storage
import UserApi

/// Journey's IMP: one object, shared by all callers.
final class JourneyService: JourneyApiProtocol {
    /// The stored data: each passenger's journeys, in the order in which they were saved.
    typealias Saved = [String: [Journey]]

    private weak let center: ApiCenter?
    private let saved: Document<Saved>
    private let statements: Statements

    /// Opens the journeys.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        let storage = try center.requireApi(type: Storage.self)
        self.center = center
        saved = try storage.document("journeys", version: 1, default: Saved())
        statements = Statements(
            network: try center.requireApi(type: APIService.self), folder: storage.folder)
    }

    func journeys(limit: Int) throws(JourneyApiError) -> [Journey] {
        // Sorting keeps the order of equal dates.
        saved.value[try passenger(), default: []].sorted { $0.date < $1.date }.suffix(max(0, limit))
            .reversed()
    }

    @concurrent func record(_ journey: Journey, of passenger: String) async throws(JourneyApiError) {
        try saved.update(orThrow: JourneyApiError.notSaved) { journeys in
            if journeys[passenger]?.contains(journey) != true {
                journeys[passenger, default: []].append(journey)
            }
        }
    }

    func statement() async throws(JourneyApiError) -> [String] {
        let passenger = try passenger()
        let lines: Result<[String], JourneyApiError>
        do {
            lines = .success(try await statements.lines(of: passenger))
        } catch {
            lines = .failure(.unreachable("\(error)"))
        }
        // Nobody sees the statement of a passenger who has logged out during the download.
        guard try self.passenger() == passenger else { throw .notLoggedIn }
        return try lines.get()
    }

    private func passenger() throws(JourneyApiError) -> String {
        guard let session = center?.api(type: UserApiProtocol.self)?.session else { throw .notLoggedIn }
        return session.id
    }
}

extension Journey {
    /// The journey as a line of text for the passenger.
    var line: String { "\(day) \(from) - \(to)" + (cents.map { ", \(Money(cents: $0))" } ?? "") }

    /// The day of the journey, such as 2026-11-25.
    var day: String { date.formatted(.iso8601.year().month().day()) }
}
