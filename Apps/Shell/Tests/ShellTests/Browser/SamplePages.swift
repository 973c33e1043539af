import Links
import Pages

@testable import Demo

/// Pages for the tests of the browser, with a session and a wallet.
@MainActor
final class SamplePages {
    private(set) var payments = 0
    private(set) var isLoggedIn = false

    /// Shows the sample pages in a browser while `body` runs.
    static func browsing(_ body: (Surfer, SamplePages, PageServer) async throws -> Void) async throws {
        let pages = SamplePages()
        let server = try await PageServer(
            port: 0, tabs: [PageRow("Log in", opens: "user_vc"), PageRow("Pay", opens: "pay_vc")],
            diary: Diary(),
            complain: { _ in }, find: pages.page)
        defer { server.stop() }
        try await body(Surfer(at: server.address), pages, server)
    }

    private func page(at address: PageAddress, _ origin: Link.Callers) throws -> any Page {
        switch address.route {
        case "", "user_vc": return LogInPage(pages: self)
        case "pay_vc": return PayPage(pages: self, note: address.parameters["note"] ?? "")
        case "inner_vc" where origin == .inside: return PayPage(pages: self, note: "")
        default: throw PageError("'\(address.route)' is not in this app.")
        }
    }

    func logOut() { isLoggedIn = false }

    private struct LogInPage: Page {
        let pages: SamplePages
        let title = "Log in"

        func contents() -> [PageContent] {
            [
                .field(PageField("name", label: "Name")),
                .field(PageField("password", label: "Password", .password)),
                .field(PageField("terms", label: "I agree", .box)), .button("Log in", action: "in"),
            ]
        }

        func perform(_ tap: PageTap) throws -> PageStep {
            let name = try tap.text("name")
            guard try tap.password("password") == "a&b=+ü" else {
                throw PageError("Wrong password.", field: "password")
            }
            guard tap.isOn("terms") else { throw PageError("Please agree.") }
            pages.isLoggedIn = true
            return .open("pay_vc", ["note": "1 & <2>"], saying: "Hello \(name)")
        }
    }

    private struct PayPage: Page {
        let pages: SamplePages
        let note: String
        let title = "Pay"

        func contents() throws -> [PageContent] {
            guard pages.isLoggedIn else { throw Closed() }
            return [
                .text("Paid \(pages.payments) times. \(note)"), .code("<C-1>", caption: "A code"),
                .rows([
                    PageRow("Card", isSelected: true, .action("choose", row: "card")),
                    PageRow("Terms", .web(url: "https://metro.example/terms")),
                    PageRow("Script", .web(url: "javascript:alert(1)")),
                ]),
                .button("Pay once", action: "pay"), .button("Go back", action: "back"),
                .button("Show the receipt", action: "receipt"),
            ]
        }

        func perform(_ tap: PageTap) async throws -> PageStep {
            guard pages.isLoggedIn else { throw Closed() }
            switch tap.action {
            case "pay":
                await Task.yield()
                pages.payments += 1
                return .stay(saying: "Paid.")
            case "choose": return .stay(saying: "Chose \(tap.row ?? "nothing").")
            case "back": return .back()
            case "receipt": return .show(Receipt(number: pages.payments))
            default: throw tap.unknownAction
            }
        }

        func failure(for error: any Error) -> PageError {
            guard error is Closed else { return .from(error) }
            return PageError("Please log in.", wayOut: PageRow("Log in", opens: "user_vc"))
        }
    }

    private struct Closed: Error {}

    private struct Receipt: Page {
        let number: Int
        let title = "Receipt"
        func contents() -> [PageContent] { [.text("Receipt \(number)")] }
    }
}
