import Foundation
import JourneyApi
import Lifecycle
import Money
import PayTypeApi
import RideApi

/// The ride, from picking how to pay for it to the list of journeys.
extension Day {
    func pickWayToPay() {
        guard let pay = center.api(type: PayTypeApiProtocol.self) else { return absent("PayType") }
        if !isFirst, let selected = pay.selected { return tell("\(selected.name), as before") }
        pick(from: pay.payTypes, of: pay)
    }

    func enter() {
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        if let station = ride.enteredAt { return tell("Still on the ride that began at \(station)") }
        guard let start = ride.stations.first else { return tell("The line has no stations") }
        do {
            let code = try ride.code().code
            show(code, "A code", at: start, of: ride)
            show(code, "The same code", at: start, of: ride)
        } catch {
            refuse(error.message)
        }
    }

    /// The passenger's code is replaced twice: by a tap on "refresh", which any page may have, and by the time.
    func refreshCode() {
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        guard let start = ride.enteredAt else { return tell("Nobody is on a ride") }
        do {
            let old = try ride.code().code
            app.infrastructure.notifications.post(
                name: Notification.Name(RideNotification.refreshCode), object: nil)
            show(old, "The code from before", at: start, of: ride)
            let new = try ride.code().code
            app.infrastructure.clock.advance(by: GateClock.codeLifetime)
            show(new, "A code that was shown for too long", at: start, of: ride)
            _ = try ride.code()
            tell("A new code is at hand")
        } catch {
            refuse(error.message)
        }
    }

    /// The app goes to the background and comes back, and each module takes part in that.
    func putAside() async {
        let code = try? center.api(type: RideApiProtocol.self)?.code().code
        for event in [LifecycleEvent.background, .active] {
            let report = await app.host.send(event)
            report.failureLines.forEach(refuse)
        }
        tell("The app was in the background")
        if let code { showAtGate(code, "The code from before") }
    }

    /// Shows a code, from whenever, at the gate where the passenger is.
    func showAtGate(_ code: String, _ name: String) {
        guard let ride = center.api(type: RideApiProtocol.self), let station = ride.enteredAt else { return }
        show(code, name, at: station, of: ride)
    }

    func leave() {
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        guard let start = ride.enteredAt else { return tell("Nobody is on a ride") }
        // Each day one stop further.
        let others = ride.stations.filter { $0 != start }
        guard !others.isEmpty else { return tell("The line has no other station") }
        let destination = others[rides % others.count]
        var refused: Set<PayType> = []
        while true {
            do throws(RideApiError) {
                let passage = try ride.passGate(code: try ride.code().code, at: destination)
                return tell(passage)
            } catch .paymentRefused(let reason) {
                refuse(reason)
                guard let pay = center.api(type: PayTypeApiProtocol.self), let selected = pay.selected,
                    refused.insert(selected).inserted,
                    pick(from: pay.payTypes.filter { !refused.contains($0) }, of: pay)
                else { return }
            } catch {
                return refuse(error.message)
            }
        }
    }

    func listJourneys() {
        guard let journeys = center.api(type: JourneyApiProtocol.self) else { return absent("Journey") }
        do {
            let count = try journeys.journeys(limit: .max).count
            tell(count == 1 ? "1 journey so far" : "\(count) journeys so far, the latest first")
            for journey in try journeys.journeys(limit: 3) {
                tell("\(journey.from) - \(journey.to), \(Money(cents: journey.cents))")
            }
        } catch {
            refuse(error.message)
        }
    }

    /// Picks the first way to pay that can be had.
    @discardableResult
    private func pick(from payTypes: [PayType], of pay: any PayTypeApiProtocol) -> Bool {
        for payType in payTypes {
            do {
                try pay.select(payType.id)
                tell("Pays with: \(payType.name)")
                return true
            } catch {
                refuse(error.message)
                if error == .notLoggedIn { return false }
            }
        }
        return false
    }

    /// Shows a code at a gate, and says what the gate does.
    private func show(_ code: String, _ name: String, at station: String, of ride: any RideApiProtocol) {
        do {
            let passage = try ride.passGate(code: code, at: station)
            tell(passage)
        } catch {
            refuse("\(name): \(error.message)")
        }
    }

    private func tell(_ passage: Passage) {
        switch passage {
        case .entered(let station): tell("The gate at \(station) opens")
        case .left(let fare):
            tell("The gate at \(fare.to) opens")
            tell(fare.receipt ?? "\(Money(cents: fare.cents)), which nothing in this app collects")
            if !fare.isRecorded { tell("The journey is not kept") }
        }
    }
}
