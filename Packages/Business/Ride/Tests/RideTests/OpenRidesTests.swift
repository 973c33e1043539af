import Foundation
import GateApi
import Testing

@testable import Ride

@Suite("A passenger's rides that are in progress or not paid")
struct OpenRidesTests {
    private func passage(_ key: String) -> GatePassage {
        GatePassage(passenger: "ann", station: key, date: .distantPast, key: key)
    }

    @Test("A refused ride continues, but not in place of one that has begun since")
    func resume() {
        var rides = OpenRides()
        #expect(rides.pass(passage("a")) == nil)
        guard let first = rides.pass(passage("b")) else {
            Issue.record("the ride has not ended")
            return
        }
        _ = rides.pass(passage("c"))
        rides.resume(first)
        #expect(rides.current?.key == "c" && rides.unpaid == [first])
        let second = rides.pass(passage("d"))
        rides.resume(first)
        #expect(rides.current?.key == "a" && rides.unpaid == [second])
        // A repeat that the operator has answered in the meantime.
        rides.remove(first)
        #expect(rides.current == nil && rides.unpaid == [second])
        rides.resume(first)
        #expect(rides.current == nil)
    }

    @Test("A ride that has been refused once is paid with the answer to either of its payments")
    func paidOnce() throws {
        var rides = OpenRides()
        _ = rides.pass(passage("a"))
        let ended = rides.pass(passage("b")), first = try #require(ended)
        rides.resume(first)
        let second = rides.pass(passage("c"))
        #expect(second?.ride == first.ride)
        rides.remove(first)
        #expect(rides.isEmpty)
    }
}
