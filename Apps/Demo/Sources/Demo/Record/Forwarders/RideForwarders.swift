import GateApi
import JourneyApi
import PayTypeApi
import RideApi
import ServiceOpenApi

struct GateForwarder: GateApiProtocol {
    let imp: any GateApiProtocol
    let calls: CallRecorder

    func code(for passenger: String) async throws(GateApiError) -> GateCode {
        try await calls.record("code(for:)", "for the passenger's code") { () async throws(GateApiError) in
            try await imp.code(for: passenger)
        }
    }

    func newCode(for passenger: String) async throws(GateApiError) -> GateCode {
        try await calls.record("newCode(for:)", "for a new code") { () async throws(GateApiError) in
            try await imp.newCode(for: passenger)
        }
    }

    func expireCode(of passenger: String) async throws(GateApiError) {
        try await calls.record("expireCode(of:)", "to end the old code") { () async throws(GateApiError) in
            try await imp.expireCode(of: passenger)
        }
    }

    func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage {
        try await calls.record(
            "pass(station: \(RecordedText.quoted(station)))", "to let the passenger through"
        ) {
            () async throws(GateApiError) in
            try await imp.pass(code: code, passenger: passenger, station: station, key: key)
        }
    }

    /// Only the opening of the stream is recorded.
    func passages(at station: String) async throws(GateApiError) -> AsyncThrowingStream<
        GatePassage, any Error
    > {
        try await calls.record("passages(at: \(RecordedText.quoted(station)))", "who passes the gate") {
            () async throws(GateApiError) in
            try await imp.passages(at: station)
        }
    }
}

struct RideForwarder: RideApiProtocol {
    let imp: any RideApiProtocol
    let calls: CallRecorder

    var stations: [String] { calls.record("stations", "for the stations") { imp.stations } }
    var enteredAt: String? { calls.record("enteredAt", "where the ride began") { imp.enteredAt } }

    func code() async throws(RideApiError) -> RideTicket {
        try await calls.record("code()", "for the code to show") { () async throws(RideApiError) in
            try await imp.code()
        }
    }

    func passGate(code: String, at station: String) async throws(RideApiError) -> Passage {
        try await calls.record(
            "passGate(at: \(RecordedText.quoted(station)))", "to pass the gate"
        ) {
            () async throws(RideApiError) in
            try await imp.passGate(code: code, at: station)
        }
    }

    /// Only the opening of the stream is recorded.
    func gateEvents(at station: String) -> AsyncThrowingStream<GateEvent, any Error> {
        calls.record("gateEvents(at: \(RecordedText.quoted(station)))", "what the gate does") {
            imp.gateEvents(at: station)
        }
    }
}

struct ServiceOpenForwarder: ServiceOpenApiProtocol {
    let imp: any ServiceOpenApiProtocol
    let calls: CallRecorder

    var isOpen: Bool { calls.record("isOpen", "whether the service is open") { imp.isOpen } }

    func agreeToTerms() async throws(ServiceOpenApiError) {
        try await calls.record("agreeToTerms()", "to note the agreement to the terms") {
            () async throws(ServiceOpenApiError) in
            try await imp.agreeToTerms()
        }
    }

    func open() async throws(ServiceOpenApiError) {
        try await calls.record("open()", "to open the service") { () async throws(ServiceOpenApiError) in
            try await imp.open()
        }
    }
}

struct PayTypeForwarder: PayTypeApiProtocol {
    let imp: any PayTypeApiProtocol
    let calls: CallRecorder

    var payTypes: [PayType] { calls.record("payTypes", "for the payment methods") { imp.payTypes } }
    var selected: PayType? { calls.record("selected", "which payment method is chosen") { imp.selected } }

    func wallet() async throws(PayTypeApiError) -> PayWallet {
        try await calls.record("wallet()", "for the wallet") { () async throws(PayTypeApiError) in
            try await imp.wallet()
        }
    }

    func select(_ id: String, for passenger: String?) async throws(PayTypeApiError) {
        try await calls.record("select(\(RecordedText.quoted(id)))", "to choose a payment method") {
            () async throws(PayTypeApiError) in
            try await imp.select(id, for: passenger)
        }
    }

    func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        try await calls.record(
            "pay(\(trip.from) - \(trip.to))", "to charge the ride"
        ) { () async throws(PayTypeApiError) in
            try await imp.pay(trip)
        }
    }
}

struct JourneyForwarder: JourneyApiProtocol {
    let imp: any JourneyApiProtocol
    let calls: CallRecorder

    func journeys(limit: Int) throws(JourneyApiError) -> [Journey] {
        try calls.record("journeys(limit: \(limit))", "for the latest journeys") {
            () throws(JourneyApiError) in
            try imp.journeys(limit: limit)
        }
    }

    func record(_ journey: Journey, of passenger: String) async throws(JourneyApiError) {
        try await calls.record("record(\(journey.from) - \(journey.to))", "to keep the journey") {
            () async throws(JourneyApiError) in
            try await imp.record(journey, of: passenger)
        }
    }

    func statement() async throws(JourneyApiError) -> [String] {
        try await calls.record("statement()", "for the statement") { () async throws(JourneyApiError) in
            try await imp.statement()
        }
    }
}
