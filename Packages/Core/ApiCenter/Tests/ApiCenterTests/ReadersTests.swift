import Testing

@testable import ApiCenter

@Suite("The readers of the registry's table")
struct ReadersTests {
    @Test(
        "Without a free slot, readers are counted, and keep a retired object until the last of them has left")
    func counted() {
        let readers = Readers()
        let slots = (0..<Readers.slotCount).map { _ in readers.enter() }
        #expect(Set(slots.map(\.slot)) == Set(0..<Readers.slotCount))
        let (first, second) = (readers.enter(), readers.enter())
        #expect(first.slot == Readers.Ticket.none && second.slot == Readers.Ticket.none)
        for ticket in slots { readers.leave(ticket) }
        let freed = Shared(0)
        readers.retire([Token { freed.update { $0 += 1 } }])
        readers.leave(first)
        #expect(freed.value == 0)
        // One reader is left.
        readers.retire([Token { freed.update { $0 += 1 } }])
        #expect(freed.value == 0)
        readers.leave(second)
        #expect(freed.value == 2)
        readers.retire([Token { freed.update { $0 += 1 } }])
        #expect(freed.value == 3)
    }
}
