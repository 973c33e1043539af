import Pages
import Testing

@Suite("The values of a tap")
struct PageTapTests {
    @Test(
        "Text is read without surrounding white space",
        arguments: ["Museum", " Museum", "Museum\n", "\t Museum \u{A0}"])
    func text(_ value: String) throws {
        #expect(try PageTap("a", fields: ["station": value]).text("station") == "Museum")
    }

    @Test("Inner white space stays") func inner() throws {
        #expect(try PageTap("a", fields: ["name": " A  B "]).text("name") == "A  B")
    }

    @Test(
        "A field without text is an error that names the field",
        arguments: [nil, "", "  ", "\n"] as [String?])
    func empty(_ value: String?) throws {
        let tap = PageTap("a", fields: value.map { ["phone": $0] } ?? [:])
        let error = try #require(throws: PageError.self) { _ = try tap.text("phone") }
        #expect(error.field == "phone")
        #expect(error.sentence == "Please fill in this field.")
    }

    @Test("A password is read exactly as entered, white space included")
    func password() throws {
        #expect(try PageTap("a", fields: ["password": " x "]).password("password") == " x ")
        #expect(throws: PageError.self) { try PageTap("a", fields: ["password": ""]).password("password") }
        #expect(throws: PageError.self) { try PageTap("a").password("password") }
    }

    @Test("A choice must be one of the offered values", arguments: ["Museum ", "museum", "", "Harbour"])
    func badChoice(_ value: String) {
        let tap = PageTap("a", fields: ["station": value])
        #expect(throws: PageError.self) { try tap.choice("station", of: ["North Gate", "Museum"]) }
    }

    @Test("Only the value of a ticked box ticks it") func box() {
        #expect(PageTap("a", fields: ["terms": PageTap.on]).isOn("terms"))
        #expect(!PageTap("a", fields: ["terms": "yes"]).isOn("terms"))
        #expect(!PageTap("a").isOn("terms"))
    }

    @Test("A choice begins with its value or the first one, and a password never has a value")
    func initialValues() {
        #expect(PageField("s", label: "S", .choice(["A", "B"])).value == "A")
        #expect(PageField("s", label: "S", .choice(["A", "B"]), value: "B").value == "B")
        #expect(PageField("s", label: "S", .choice(["A", "B"]), value: "C").value == "A")
        #expect(PageField("s", label: "S", .choice([])).value.isEmpty)
        #expect(PageField("s", label: "S", .stop(["A", "B"]), value: "C").value == "A")
        #expect(PageField("p", label: "P", .password, value: "secret").value.isEmpty)
    }
}
