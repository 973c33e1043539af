import Foundation
import GateApi
import GateApiFakes
import JourneyApi
import JourneyApiFakes
import LoggerApi
import LoggerApiFakes
import PayTypeApi
import RideApi
import Storage
import TestSupport
import Testing

@Suite("What Ride logs, because no caller gets it as an error", .waitLimit)
struct LogTests {
    let app: App
    let ride: any RideApiProtocol
    let log = FakeLogger()

    init() async throws {
        app = try await App()
        ride = try app.ride
        app.center.register(LoggerApiProtocol.self) { [log] in log }
    }

    private func pass(_ station: String) async throws(RideApiError) -> Passage {
        try await ride.passGate(code: ride.code().code, at: station)
    }

    @Test("Each entry is logged, and each ride with its price")
    func rides() async throws {
        for station in ["Museum", "Harbour"] { _ = try await pass(station) }
        app.center.removeApi(api: PayTypeApiProtocol.self)
        for station in ["Harbour", "Museum"] { _ = try await pass(station) }
        #expect(
            log.recent(limit: 9) == [
                "info The gate at Museum opened", "info A ride from Museum to Harbour cost €3.00",
                "info The gate at Harbour opened", "info A ride from Harbour to Museum was not charged",
            ])
    }

    @Test("A payment that fails is logged with its reason, and so is its repeat")
    func failedPayments() async throws {
        _ = try await pass("Museum")
        app.failPayments()
        _ = try? await pass("Harbour")
        try await app.launch()
        let warnings = log.recent(limit: 9).filter { $0.hasPrefix("warning ") }
        #expect(
            warnings == [
                "warning A ride from Museum was not paid: no signal",
                "warning A ride from Museum is not paid yet: no signal",
            ])
    }

    @Test("A PayType that cannot be built is logged")
    func brokenPayType() async throws {
        struct Broken: Error {}
        _ = try await pass("Museum")
        let code = try await ride.code().code
        app.center.replaceApi(type: PayTypeApiProtocol.self) { _ in throw Broken() }
        await #expect(throws: RideApiError.self) { try await ride.passGate(code: code, at: "Harbour") }
        #expect(
            log.recent(limit: 9).contains {
                $0.hasPrefix("error Nobody can pay: ") && $0.contains("Broken()")
            })
    }

    @Test("The answer to a payment that cannot be saved is logged")
    func unsavedAnswer() async throws {
        let folder = try TemporaryFolder(), data = folder.url.appending(path: "data")
        let app = try await App(storage: Storage(folder: data)), ride = try app.ride
        app.center.register(LoggerApiProtocol.self) { [log] in log }
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        app.payType.before = { call in
            guard call == "pay" else { return nil }
            do { try FileManager.default.removeItem(at: data) } catch { Issue.record(error) }
            return nil
        }
        _ = try await ride.passGate(code: ride.code().code, at: "Harbour")
        #expect(
            log.recent(limit: 9).contains { $0.hasPrefix("error The answer to a payment was not saved: ") })
    }

    @Test("A journey that cannot be saved is logged, and the fare says that it was not recorded")
    func unsavedJourney() async throws {
        _ = try await pass("Museum")
        app.journeys.before = { _ in .notSaved("the disk is full") }
        guard case .left(let fare) = try await pass("Harbour") else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(fare.receipt != nil && !fare.isRecorded)
        #expect(
            log.recent(limit: 9).contains { $0.hasPrefix("error The journey to Harbour was not saved: ") })
    }

    @Test("Codes that the Gate has not ended when the app goes to the background are logged")
    func unendedCodes() async throws {
        _ = try await ride.code()
        app.gate.before = { _ in .unreachable("no signal") }
        try await app.module.handle(.background, in: app.center)
        let warning = "warning The Gate has not ended the old codes yet: "
        #expect(log.recent(limit: 9).contains { $0.hasPrefix(warning) })
    }
}
