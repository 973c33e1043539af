import Testing

@testable import ApiCenter

@Suite("The word that chooses between the fast and the slow path of a call")
struct GateTests {
    /// Whether the gate is clear, and what it knows.
    private static func state(_ gate: borrowing Gate) -> [Bool] {
        [gate.isClear, gate.hasObserver, gate.hasOverrides]
    }

    @Test("A call is fast unless there is an observer, a scope of overrides or a chain of builders")
    func paths() {
        let gate = Gate()
        var states = [Self.state(gate)]
        gate.setObserver()
        states.append(Self.state(gate))
        gate.clearObserver()
        gate.openScope()
        gate.openScope()
        gate.closeScope()
        states.append(Self.state(gate))
        gate.closeScope()
        gate.beginChain()
        states.append(Self.state(gate))
        gate.endChain()
        states.append(Self.state(gate))
        #expect(
            states == [
                [true, false, false], [false, true, false], [false, false, true], [false, false, false],
                [true, false, false],
            ])
    }
}
