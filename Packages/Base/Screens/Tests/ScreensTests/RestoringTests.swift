import Links
import Pages
import TestSupport
import Testing

@testable import Screens

private struct TextPage: Page {
    let title: String
    func contents() -> [PageContent] { [] }
}

@Suite("A path is kept as text", .timeLimit(.minutes(10)), .waitLimit)
@MainActor struct RestoringTests {
    private func stack(missing: Set<String> = [], failing: Set<String> = []) -> ScreenStack {
        ScreenStack(first: PageAddress("home")) { address in
            if missing.contains(address.route) { throw LinkError.absentModule("M") }
            if failing.contains(address.route) { throw LinkError.denied("closed") }
            return TextPage(title: address.route)
        }
    }

    private func text(_ addresses: PageAddress..., owner: String? = nil) async throws -> String {
        let stack = stack()
        stack.follow(owner)
        for address in addresses { try await stack.push(address) }
        return stack.text
    }

    @Test("Another stack shows the same addresses")
    func restored() async throws {
        let addresses = [
            PageAddress("ride", ["id": "a\"b\n€", "": ""]), PageAddress("user"), PageAddress("user"),
        ]
        let text = try await text(addresses[0], addresses[1], addresses[2])
        let stack = stack()
        await stack.restore(from: text)
        #expect(stack.path.map(\.address) == addresses)
        // A stack that has screens keeps them.
        await stack.restore(from: text)
        #expect(stack.path.count == 3)
    }

    @Test("Equal paths have equal texts")
    func sortedText() async throws {
        let text = try await text(PageAddress("a/b", ["y": "1", "x": "2"]), owner: "ann")
        #expect(
            text == #"{"owner":"ann","screens":[{"parameters":{"x":"2","y":"1"},"route":"a/b"}]}"#)
    }

    @Test("The text ends before a page without an address")
    func withoutAddress() async throws {
        let old = stack()
        try await old.push(PageAddress("ride"))
        old.show(TextPage(title: "web"))
        try await old.push(PageAddress("user"))
        let new = stack()
        await new.restore(from: old.text)
        #expect(new.path.compactMap { $0.page?.title } == ["ride"])
    }

    @Test("Another user does not get the screens", arguments: [nil, "bob"])
    func owner(_ other: String?) async throws {
        let text = try await text(PageAddress("ride"), owner: "ann")
        let stack = stack()
        stack.follow(other)
        await stack.restore(from: text)
        #expect(stack.path.isEmpty)
        stack.follow("ann")
        await stack.restore(from: text)
        #expect(stack.path.count == 1)
    }

    @Test("The path ends before a route that fails or is absent")
    func endsEarly() async throws {
        let text = try await text(PageAddress("ride"), PageAddress("user"), PageAddress("journey"))
        for stack in [stack(missing: ["user"]), stack(failing: ["user"])] {
            await stack.restore(from: text)
            #expect(stack.path.compactMap { $0.page?.title } == ["ride"])
        }
    }

    @Test("A text that has lost its end restores nothing")
    func damaged() async throws {
        let text = try await text(PageAddress("ride"))
        for end in text.indices {
            let stack = stack()
            await stack.restore(from: String(text[..<end]))
            #expect(stack.path.isEmpty)
        }
    }

    @Test("Any bytes are a text that restores nothing, or the screens that it names")
    func otherTexts() async throws {
        let text = try await text(PageAddress("ride"))
        var random = SeededRandom(1)
        for _ in 0..<300 {
            var bytes = Array(text.utf8)
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let changed = String(decoding: bytes, as: UTF8.self)
            let stack = stack()
            await stack.restore(from: changed)
            // What is shown can be saved, and restored again.
            let again = self.stack()
            await again.restore(from: stack.text)
            #expect(again.path.map(\.address) == stack.path.map(\.address))
            #expect(stack.path.isEmpty || changed.contains(stack.path[0].address?.route ?? "none"))
        }
    }

    @Test("A user who goes elsewhere while routes are asked stays there, without the other screens")
    func overtaken() async throws {
        let text = try await text(PageAddress("ride"), PageAddress("user"))
        var stack: ScreenStack?
        stack = ScreenStack(first: PageAddress("home")) { address in
            if address.route == "user" { stack?.show(TextPage(title: "linked")) }
            return TextPage(title: address.route)
        }
        await stack?.restore(from: text)
        #expect(stack?.path.compactMap { $0.page?.title } == ["linked"])
    }
}
