import ApiCenter
import Ride
import RideApi
import Testing

@Suite("Ride")
struct RideTests {
    let center = ApiCenter()

    init() {
        RideModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: RideApiProtocol.self)
        #expect(api.introduction() == "I am Ride.")
    }
}
