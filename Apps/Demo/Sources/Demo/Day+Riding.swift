import Foundation
import GateApi
import JourneyApi
import Lifecycle
import Mediator
import Money
import PayTypeApi
import RideApi
import UserApi

/// The steps of the ride, from selecting a payment method to the list of journeys.
extension Day {
    func pickPaymentMethod() async {
        guard let pay = center.api(type: PayTypeApiProtocol.self) else { return absent("PayType") }
        if !isFirst, let selected = pay.selected { return tell("\(selected.name), as before") }
        await pick(from: pay.payTypes, of: pay)
    }

    func enter() async {
        if center.api(type: GateApiProtocol.self) == nil { absent("Gate") }
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        if let station = ride.enteredAt { return tell("Still on the ride that began at \(station)") }
        guard let start = ride.stations.first else { return tell("The line has no stations") }
        do {
            let code = try await ride.code().code
            await show(code, "The code", at: start, of: ride)
            await show(code, "The same code", at: start, of: ride)
            await watchGate(at: start, of: ride)
        } catch {
            refuse(error.message)
        }
    }

    /// Reports a gate's events, which the server streams.
    private func watchGate(at station: String, of ride: any RideApiProtocol) async {
        do {
            for try await event in ride.gateEvents(at: station) {
                switch event {
                case .opened: tell("The gate reports that it is open")
                case .closed: return tell("The gate reports that it is closed again")
                }
            }
        } catch {
            refuse(message(for: error))
        }
    }

    /// Gets a new code twice: after posting the refresh notification, as any page may do, and after asking Gate to
    /// expire the code. (The day cannot advance Gate's clock, because Gate may run on another machine.)
    func refreshCode() async {
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        guard let start = ride.enteredAt else { return tell("No ride is in progress") }
        do {
            let old = try await ride.code().code
            app.notifications.post(
                name: Notification.Name(RideNotification.refreshCode), object: nil)
            await show(old, "The old code", at: start, of: ride)
            let new = try await ride.code().code
            if let passenger = center.api(type: UserApiProtocol.self)?.session?.id {
                try await center.api(type: GateApiProtocol.self)?.expireCode(of: passenger)
            }
            await show(new, "The expired code", at: start, of: ride)
            _ = try await ride.code()
            tell("A new code is ready")
        } catch {
            refuse(message(for: error))
        }
    }

    /// Sends the app to the background and back, and notifies every module of both changes.
    func switchApps() async {
        let code = try? await center.api(type: RideApiProtocol.self)?.code().code
        for event in [LifecycleEvent.background, .active] {
            await app.send(event).forEach(refuse)
        }
        tell("The app was in the background")
        if let code { await showAtGate(code, "The old code") }
    }

    /// Shows a code, current or not, at the gate of the station where the passenger entered.
    func showAtGate(_ code: String, _ name: String) async {
        guard let ride = center.api(type: RideApiProtocol.self), let station = ride.enteredAt else { return }
        await show(code, name, at: station, of: ride)
    }

    /// Opens a link as if it came from a message or another app: the app tells every module, and calls
    /// the link's action.
    func openLink() async {
        let link = "metro://\(RideAction.target)/\(RideAction.stations)"
        guard center.api(type: RideApiProtocol.self) != nil else { return absent("Ride") }
        let opened = await app.open(link)
        if let error = opened.error { return refuse(message(for: error)) }
        tell("\(link): \((opened.value as? [String])?.joined(separator: ", ") ?? "no stations")")
    }

    func leave() async {
        guard let ride = center.api(type: RideApiProtocol.self) else { return absent("Ride") }
        guard let start = ride.enteredAt else { return tell("No ride is in progress") }
        // Ride one stop further each day.
        let others = ride.stations.filter { $0 != start }
        guard !others.isEmpty else { return tell("The line has no other station") }
        let destination = others[rides % others.count]
        var refused: Set<PayType> = []
        while true {
            do throws(RideApiError) {
                let passage = try await ride.passGate(code: try await ride.code().code, at: destination)
                return tell(passage)
            } catch .paymentRefused(let reason) {
                refuse(reason)
                guard let pay = center.api(type: PayTypeApiProtocol.self), let selected = pay.selected,
                    refused.insert(selected).inserted,
                    await pick(from: pay.payTypes.filter { !refused.contains($0) }, of: pay)
                else { return }
            } catch {
                return refuse(error.message)
            }
        }
    }

    func listJourneys() async {
        guard let journeys = center.api(type: JourneyApiProtocol.self) else { return absent("Journey") }
        do {
            let count = try journeys.journeys(limit: .max).count
            tell(count == 1 ? "1 journey so far" : "\(count) journeys so far, the latest first")
            for journey in try journeys.journeys(limit: 3) {
                let price = journey.cents.map { ", \(Money(cents: $0))" } ?? ""
                tell("\(journey.from) - \(journey.to)\(price)")
            }
            await downloadStatement(from: journeys)
        } catch {
            refuse(error.message)
        }
    }

    /// Downloads the statement with an expired token, over a connection that breaks.
    private func downloadStatement(from journeys: any JourneyApiProtocol) async {
        app.day.clock.advance(by: OperatorServer.tokenLifetime)
        let renewals = app.day.server.renewals
        do {
            let lines = try await journeys.statement()
            if app.day.server.renewals != renewals { tell("The token had expired and was renewed") }
            tell("Last year: \(lines.count) journeys, downloaded in \(app.day.server.statementParts) parts")
        } catch {
            refuse(error.message)
        }
    }

    /// Selects the first payment method that PayType accepts, and returns whether one was accepted.
    @discardableResult
    private func pick(from payTypes: [PayType], of pay: any PayTypeApiProtocol) async -> Bool {
        for payType in payTypes {
            do {
                try await pay.select(payType.id)
                tell("Pays with: \(payType.name)")
                return true
            } catch {
                refuse(error.message)
                if error == .notLoggedIn { return false }
            }
        }
        return false
    }

    /// Shows a code at a gate and reports the result.
    private func show(_ code: String, _ name: String, at station: String, of ride: any RideApiProtocol) async
    {
        do {
            let passage = try await ride.passGate(code: code, at: station)
            tell(passage)
        } catch {
            guard case .codeRefused = error else { return refuse(error.message) }
            refuse("\(name): \(error.message)")
        }
    }

    private func tell(_ passage: Passage) {
        switch passage {
        case .entered(let station): tell("The gate at \(station) opens")
        case .left(let fare):
            tell("The gate at \(fare.to) opens")
            tell(fare.receipt ?? "The ride was not charged: this app has no payment module")
            if !fare.isRecorded { tell("The journey was not saved") }
        }
    }
}
