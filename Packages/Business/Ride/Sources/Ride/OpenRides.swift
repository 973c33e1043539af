import Foundation
import GateApi

/// A passenger's rides that are in progress or not paid.
struct OpenRides: Codable, Sendable {
    /// A ride in progress.
    struct Ride: Codable, Sendable, Hashable {
        /// The station where the ride began.
        let station: String
        /// The key of the passage through the gate where the ride began, with which its fare is paid once.
        let key: String
    }

    /// A ride whose payment the operator has not answered. It is stored before the first payment, and each repeat names
    /// the same passages.
    struct Unpaid: Codable, Sendable, Hashable {
        let ride: Ride
        let exit: GatePassage
    }

    private(set) var current: Ride?
    /// Oldest first.
    private(set) var unpaid: [Unpaid] = []

    var isEmpty: Bool { current == nil && unpaid.isEmpty }

    init(_ current: Ride? = nil) { self.current = current }

    /// Ends the current ride with this passage, or begins one.
    ///
    /// - Returns: The ended ride; nil if one has begun.
    mutating func pass(_ passage: GatePassage) -> Unpaid? {
        guard let ride = current else {
            current = Ride(station: passage.station, key: passage.key)
            return nil
        }
        let ended = Unpaid(ride: ride, exit: passage)
        current = nil
        unpaid.append(ended)
        return ended
    }

    /// Forgets a ride whose payment was taken.
    mutating func remove(_ paid: Unpaid) {
        unpaid.removeAll { $0.ride.key == paid.ride.key }
        if current?.key == paid.ride.key { current = nil }
    }

    /// Continues a ride whose payment was refused. If the passenger has begun another ride since, it stays unpaid.
    mutating func resume(_ refused: Unpaid) {
        guard current == nil, unpaid.contains(where: { $0.exit.key == refused.exit.key }) else { return }
        unpaid.removeAll { $0.exit.key == refused.exit.key }
        current = refused.ride
    }
}
