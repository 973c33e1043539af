import Foundation
import Testing

@testable import Demo

@Suite("The app in a browser")
struct BrowserTests {
    private static let right = ["name": " Ann ", "password": "a&b=+ü", "terms": "on"]

    private func logIn(_ surfer: Surfer) async throws {
        try await surfer.open("/")
        try await surfer.tap("Log in", Self.right)
    }

    @Test("A form leads to the page that its action opens, with a message that a reload does not repeat")
    func logIn() async throws {
        try await SamplePages.browsing { surfer, _, _ in
            try await logIn(surfer)
            #expect(surfer.text.hasPrefix("Pay Hello Ann Paid 0 times. 1 & <2> <C-1> A code"))
            try await surfer.open("/pay_vc?note=1")
            #expect(surfer.text.hasPrefix("Pay Paid 0 times. 1 "))
        }
    }

    @Test("A failed form keeps its values except passwords, and names the wrong field")
    func failure() async throws {
        try await SamplePages.browsing { surfer, _, _ in
            try await surfer.open("/user_vc")
            try await surfer.tap("Log in", ["name": "Ann \"<b>\"", "password": "secret-1", "terms": "on"])
            #expect(surfer.text.contains("Password Wrong password."))
            #expect(surfer.html.contains("value=\"Ann &#34;&#60;b&#62;&#34;\""))
            #expect(
                surfer.html.contains(
                    "name=\"password\" aria-invalid=\"true\" aria-describedby=\"failure\" autofocus"))
            #expect(surfer.html.contains("value=\"on\" checked"))
            #expect(!surfer.html.contains("secret-1"))
            try await surfer.tap("Log in", ["name": "", "password": "x"])
            #expect(surfer.text.contains("Name Please fill in this field."))
        }
    }

    @Test("A form that is posted twice, at once or later, is performed once")
    func twice() async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            let form = try surfer.form(of: "Pay once")
            async let first = surfer.send(form.action, form.body)
            async let second = surfer.send(form.action, form.body)
            _ = try await (first, second)
            _ = try await surfer.send(form.action, form.body)
            #expect(await pages.payments == 1)
            try await surfer.open("/pay_vc")
            try await surfer.tap("Pay once")
            #expect(surfer.text.contains("Paid. Paid 2 times."))
            #expect(await pages.payments == 2)
        }
    }

    @Test(
        "A form that the app did not make does nothing", arguments: ["", "@token=1&@action=pay", "=&&%ZZ=%"])
    func forged(_ body: String) async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            let answer = try await surfer.send("/pay_vc", body)
            #expect(answer.html.contains("nothing was done"))
            #expect(await pages.payments == 0)
        }
    }

    @Test("A form of one page cannot be posted to another")
    func otherPage() async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            let form = try surfer.form(of: "Pay once")
            #expect(try await surfer.send("/user_vc", form.body).html.contains("nothing was done"))
            #expect(await pages.payments == 0)
        }
    }

    @Test("After a log-out, a page that is still open leads to the log-in")
    func logOut() async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            await pages.logOut()
            try await surfer.tap("Pay once")
            #expect(surfer.text == "Pay Please log in. Log in")
            #expect(await pages.payments == 0)
            try await surfer.follow("Log in")
            #expect(surfer.text.hasPrefix("Log in Name"))
        }
    }

    @Test("A row's action, a step back, and a page without an address")
    func steps() async throws {
        try await SamplePages.browsing { surfer, _, _ in
            try await logIn(surfer)
            try await surfer.tap("Card")
            #expect(surfer.text.hasPrefix("Pay Chose card."))
            try await surfer.tap("Show the receipt")
            #expect(surfer.text == "Receipt Receipt 0")
            try await surfer.open("/pay_vc")
            try await surfer.open("/user_vc")
            try await surfer.follow("Pay")
            try await surfer.tap("Go back")
            #expect(surfer.text.hasPrefix("Log in Name"))
            #expect(try await surfer.open("/shown/unknown").status == 404)
            #expect(surfer.text.contains("is not in this app."))
        }
    }

    @Test(
        "A page that is not in the app says so",
        arguments: ["/nowhere", "/%00", "/a?b=%E0%A4%A", "/@"])
    func absent(_ path: String) async throws {
        try await SamplePages.browsing { surfer, _, _ in
            let answer = try await surfer.open(path)
            #expect(answer.status == 404)
            #expect(surfer.text.contains("is not in this app."))
        }
    }

    @Test("Only https links leave the app")
    func web() async throws {
        try await SamplePages.browsing { surfer, _, _ in
            try await logIn(surfer)
            #expect(
                surfer.html.contains(
                    "href=\"https://metro.example/terms\" target=\"_blank\" rel=\"noopener noreferrer\""))
            #expect(!surfer.html.contains("javascript:"))
        }
    }

    @Test(
        "Requests for other hosts and from other origins are refused",
        arguments: [
            ["Host": "metro.example"], ["Host": "metro.example:80"], ["Host": "127.0.0.1.metro.example"],
            ["Host": ""], ["Origin": "http://metro.example"], ["Origin": "null"],
            ["Origin": "http://127.0.0.1:1"],
            ["Origin": "https://127.0.0.1"],
        ])
    func others(_ fields: [String: String]) async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            let form = try surfer.form(of: "Pay once")
            #expect(try await surfer.send("/pay_vc", nil, fields).status == 403)
            #expect(try await surfer.send("/calls", nil, fields).status == 403)
            #expect(try await surfer.send(form.action, form.body, fields).status == 403)
            #expect(await pages.payments == 0)
        }
    }

    @Test("A post that another site starts is refused even without an origin")
    func crossSite() async throws {
        try await SamplePages.browsing { surfer, pages, _ in
            try await logIn(surfer)
            let form = try surfer.form(of: "Pay once")
            for site in ["cross-site", "same-site", "none"] {
                #expect(try await surfer.send(form.action, form.body, ["Sec-Fetch-Site": site]).status == 403)
            }
            #expect(await pages.payments == 0)
            let origin = ["Origin": surfer.origin, "Sec-Fetch-Site": "same-origin"]
            #expect(try await surfer.send(form.action, form.body, origin).status == 200)
            #expect(await pages.payments == 1)
        }
    }

    @Test("Answers are not stored, not framed, and run no scripts but the app's own")
    func fields() async throws {
        try await SamplePages.browsing { surfer, _, _ in
            let answer = try await surfer.open("/")
            #expect(answer.fields["cache-control"] == "no-store")
            #expect(answer.fields["content-security-policy"]?.contains("script-src 'self'") == true)
            #expect(answer.fields["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            for file in ["/app.css", "/app.js"] {
                #expect(try await surfer.send(file).status == 200)
            }
        }
    }
}
