import Testing

@testable import Pages

/// A form that counts how often it is loaded.
@MainActor private final class Form: Page {
    let title = "Form"
    private(set) var loads = 0
    private let next: PageStep

    init(next: PageStep) { self.next = next }

    func contents() -> [PageContent] {
        loads += 1
        return [
            .field(PageField("name", label: "Name", value: "Li")),
            .field(PageField("terms", label: "Terms", .box, value: PageTap.on)),
        ]
    }

    func perform(_ tap: PageTap) -> PageStep { next }
}

@Suite("The state of a page's view")
@MainActor struct PageStateTests {
    /// The state after the page has appeared, and its user has changed the fields.
    private func filled(_ page: Form) async -> PageState {
        var state = PageState(message: "Hello")
        await visit(page, .appear, &state)
        state.values["name"] = "Ann"
        state.values["terms"] = nil
        return state
    }

    private func visit(_ page: Form, _ visit: PageVisit, _ state: inout PageState) async {
        let (begins, beginsAgain) = (state.begin(visit), state.begin(.tap(PageTap("again"))))
        #expect(begins && !beginsAgain && !state.isStale)
        state.end(visit, await page.change(after: visit, go: { _ in }))
    }

    @Test(
        "An action that opens another page does not load the page that is left, whose fields keep their values",
        arguments: [PageVisit.tap(PageTap("go")), .open(PageAddress("next_vc"))])
    func left(_ leaving: PageVisit) async {
        let page = Form(next: .open("next_vc", [:]))
        var state = await filled(page)
        await visit(page, leaving, &state)
        #expect(page.loads == 1)
        #expect(state.values == ["name": "Ann"] && state.message == "Hello" && !state.isBusy)
        // The user comes back.
        await visit(page, .appear, &state)
        #expect(page.loads == 2)
        #expect(state.values == ["name": "Ann"] && state.message == "Hello")
    }

    @Test("A user who comes back while an action runs sees the contents that are loaded afterwards")
    func cameBack() async {
        let page = Form(next: .open("next_vc", [:]))
        var state = await filled(page)
        let begins = state.begin(.tap(PageTap("go")))
        let beginsAgain = state.begin(.appear)
        #expect(begins && !beginsAgain)
        state.end(.tap(PageTap("go")), .left)
        #expect(state.isStale)
        await visit(page, .appear, &state)
        #expect(page.loads == 2 && state.values == ["name": "Ann"])
        state.show("Welcome.")
        #expect(state.message == "Welcome.")
    }

    @Test("The values of fields that the new contents lack are dropped")
    func droppedFields() {
        var state = PageState(message: nil)
        #expect(!state.isStale)
        state.values = ["name": "Ann"]
        let begins = state.begin(.appear)
        #expect(begins)
        state.end(.appear, .loaded([.text("Done.")], message: nil))
        #expect(state.values.isEmpty)
    }

    @Test("An action that stays loads the page, and the fields have the values of the new contents")
    func stayed() async {
        let page = Form(next: .stay(saying: "Saved."))
        var state = await filled(page)
        await visit(page, .tap(PageTap("save")), &state)
        #expect(page.loads == 2)
        #expect(state.values == ["name": "Li", "terms": PageTap.on] && state.message == "Saved.")
    }

    @Test("If the next page cannot be shown, the page shows the error and keeps what was entered")
    func failed() async {
        let page = Form(next: .open("next_vc", [:]))
        var state = await filled(page)
        let change = await page.change(after: .tap(PageTap("go")), go: { _ in throw PageError("Gone.") })
        state.end(.tap(PageTap("go")), change)
        #expect(state.pageFailure?.sentence == "Gone." && state.values["name"] == "Ann")
    }

    @Test(
        "A failure stands at the field that it is about, or above the contents if the page has no such field")
    func place() async {
        let page = Form(next: .stay())
        var state = await filled(page)
        let fields = ["name", "terms"].map { PageField($0, label: $0) }
        for (name, place) in [("terms", "terms"), ("other", nil), (nil, nil)] as [(String?, String?)] {
            state.end(.tap(PageTap("save")), .failed(PageError("Wrong.", field: name)))
            #expect(fields.filter { state.failure(at: $0) != nil }.map(\.name) == [place].compactMap(\.self))
            #expect((state.pageFailure?.sentence == "Wrong.") == (place == nil))
        }
    }
}
