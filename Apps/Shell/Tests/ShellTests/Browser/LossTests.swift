import Foundation
import Testing

@testable import Demo

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// For each module, what a passenger sees before and after it is taken out. The sentences on the page "Try it" promise it.
@Suite("What is lost without a module")
struct LossTests {
    private static let modules = [
        "Gate", "Home", "Journey", "Logger", "PayType", "Ride", "SDKManager", "ServiceOpen", "User",
        "WebContainer",
    ]

    /// What a passenger who is logged in sees with the module.
    private func lookWith(_ module: String, _ surfer: Surfer) async throws {
        switch module {
        case "Home": try await surfer.sees("Good day, Li Lei.", at: "/")
        case "ServiceOpen", "Ride":
            try await surfer.sees("Please open the ride service first.", at: "/ride")
        case "Gate":
            try await surfer.openService()
            try await surfer.sees("Your code", at: "/ride")
        case "PayType": try await surfer.rides(reading: "€2.00 from the balance")
        case "Journey":
            try await surfer.rides(reading: "€2.00 from the balance")
            try await surfer.sees("North Gate - Museum", at: "/my-journeys")
        case "WebContainer":
            try await surfer.readsWeb("The market at the quay opens at nine.", "Terms of the ride service")
        case "User": try await surfer.sees("You are logged in as Li Lei.", at: "/account")
        case "SDKManager":
            try await surfer.openService()
            try await surfer.sees("Payment methods", at: "/")
            #expect(!surfer.text.contains("There is no news today."))
        case "Logger":
            try await surfer.rides(reading: "€2.00 from the balance")
            #expect(surfer.calls.contains { $0.hasPrefix("Ride asks Logger to write to the log") })
        default: Issue.record("no look at \(module)")
        }
    }

    /// What the passenger sees without the module.
    private func lookWithout(_ module: String, _ surfer: Surfer) async throws {
        switch module {
        case "Home":
            try await surfer.sees("Home is not in this app.", at: "/")
            try await surfer.sees("You are logged in as Li Lei.", at: "/account")
        case "ServiceOpen":
            try await surfer.open("/payment")
            try await surfer.tap("Balance")
            try await surfer.sees("You are not on a ride. ", at: "/ride")
            _ = try surfer.form(of: "Enter the metro")
        case "Ride":
            try await surfer.sees("Ride is not in this app.", at: "/ride")
            try await surfer.sees("Your balance is €10.00.", at: "/payment")
        case "Gate":
            try await surfer.sees("No gate answers: this app has no module named Gate.", at: "/ride")
            #expect(!surfer.text.contains("Your code") && !surfer.text.contains("Enter the metro"))
        case "PayType":
            try await surfer.rides(reading: "The gate at Museum opens. The ride was not charged")
        case "Journey":
            try await surfer.rides(reading: "which leaves €6.00. The journey was not saved.")
            try await surfer.sees("Journey is not in this app.", at: "/my-journeys")
        case "WebContainer":
            let missing = "This app cannot show web pages. The module WebContainer is missing: "
            try await surfer.readsWeb(
                missing + "Home asked for it in vain.", missing + "ServiceOpen asked for it in vain.")
        case "User":
            try await surfer.sees("User is not in this app.", at: "/account")
            try await surfer.sees("Please log in first.", at: "/ride")
        case "SDKManager":
            try await surfer.sees("There is no news today.", at: "/")
            #expect(!surfer.text.contains("Payment methods"))
            try await surfer.rides(reading: "The payment is not confirmed")
            try await surfer.open("/account")
            try await surfer.tap("Log out")
            try await surfer.logIn()
            #expect(surfer.text.contains("The app is not ready yet"))
        case "Logger":
            try await surfer.rides(reading: "which leaves €6.00.")
            #expect(surfer.text.contains("The module Logger is missing: Ride asked for it in vain."))
            #expect(surfer.calls.contains { $0.hasPrefix("Ride looks up Logger → not in this app") })
        default: Issue.record("no look at the app without \(module)")
        }
    }

    @Test("Each module of the sample has a role, and a test of its loss")
    func roles() {
        let sample = Set(
            Diary.apis.compactMap { $0.split(separator: ".").first?.dropLast("Api".count) }.map(String.init))
        #expect(Set(Self.modules) == sample.subtracting(ModuleRole.examples))
        // An alternative loses what the module loses that it replaces.
        #expect(Set(ModuleRole.all.keys).subtracting(["PayTypeCashless"]) == Set(Self.modules))
        #expect(ModuleRole.all["PayTypeCashless"]?.loss == ModuleRole.all["PayType"]?.loss)
    }

    @Test(
        "The sentence about the loss is true, and the app says which module is missing and who noticed",
        .timeLimit(.minutes(10)), arguments: modules)
    func loss(of module: String) async throws {
        let app = try RunningApp()
        defer { app.stop() }
        let surfer = Surfer(at: app.address)
        let role = try #require(ModuleRole.all[module])
        try await surfer.logIn()
        try await lookWith(module, surfer)
        try await surfer.sees("\(role.does) Without it, \(role.loss).", at: "/try")
        try await surfer.tap("<span>\(module)<")
        #expect(surfer.text.contains("The app runs without \(module) now: \(role.loss)."))
        #expect(surfer.text.contains("\(module) Without it, \(role.loss). Nobody has asked for it since."))
        try await lookWithout(module, surfer)
        try await surfer.open("/try")
        #expect(
            surfer.text.contains(
                try Regex("\(module) Without it, [^.]*\\. Asked for it in vain: \\w+ \\(\\d+ time")))
        // These two are missed only by a tap on the page, which has happened above.
        guard !["Logger", "WebContainer"].contains(module) else { return }
        try await surfer.follow(role.page.title)
        #expect(
            surfer.text.contains(try Regex("The module \(module) is missing: .+ asked for it in vain\\.")))
    }
}

extension Surfer {
    /// Opens a page, and expects a text on it.
    fileprivate func sees(_ text: String, at path: String) async throws {
        try await open(path)
        #expect(self.text.contains(text), "\(self.text)")
    }

    /// Takes a ride, after opening the service if necessary, and expects a text on the page after leaving.
    fileprivate func rides(reading receipt: String) async throws {
        try await open("/open-the-service")
        if text.contains("I have read the terms") { try await openService() }
        try await open("/ride")
        try await tap("Enter the metro", ["station": "North Gate"])
        try await tap("Leave the metro", ["station": "Museum"])
        #expect(text.contains(receipt), "\(text)")
    }

    /// Opens the news and the terms, and expects a text on each page.
    fileprivate func readsWeb(_ news: String, _ terms: String) async throws {
        try await open("/")
        try await tap("Ride to the harbour this spring")
        #expect(text.contains(news), "\(text)")
        try await open("/open-the-service")
        try await tap("Terms of the ride service")
        #expect(text.contains(terms), "\(text)")
    }
}
#endif
