import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The trace command")
struct TraceTests {
    @Test("The trace command prints a valid Mermaid diagram with the modules, the calls and the refusals")
    func mermaid() throws {
        let run = try Shell.run("trace", "--format", "mermaid")
        #expect(run.status == 0)
        let diagram = try Diagram(run.output)
        #expect(diagram.participants.first == "Demo")
        #expect(Set(diagram.participants).isSuperset(of: ["Ride", "User", "Journey", "Routes", "Mediator"]))
        #expect(
            diagram.arrows.contains { $0.from == "Ride" && $0.to == "PayType" && $0.text == "PayTypeApi" })
        #expect(
            diagram.arrows.contains { $0.from == "Routes" && $0.to == "Journey" && $0.text == "journey_vc" })
        #expect(diagram.notes.contains { $0.hasPrefix("Refused. Bank card: This payment method") })
        #expect(diagram.notes.filter { !$0.hasPrefix("Refused") }.count == 16)
    }

    @Test("The tests' diagram parser rejects text that Mermaid could misread")
    func strict() throws {
        let head = "sequenceDiagram\n    participant A\n"
        #expect(throws: Never.self) { try Diagram(head + "    A->>A: x#59;<br/>y\n") }
        for bad in [
            "A->>B: x", "A->>A: x;y", "A->>A: a#b", "A->>A: <int>", "A->A x", "Note over B: x", "A->>A: ",
        ] {
            #expect(throws: Diagram.Fault.self, "\(bad)") { try Diagram(head + "    \(bad)\n") }
        }
        #expect(throws: Diagram.Fault.self) { try Diagram("flowchart TD\n") }
    }

    @Test("The trace command can also print JSON and text")
    func others() throws {
        let json = try Shell.run("trace", "--format=json")
        let day = try JSONDecoder().decode(DayRecord.self, from: Data(json.output.utf8))
        #expect(day.steps.count == 16)
        #expect(try Shell.run("trace", "--json").output.contains("\"steps\""))
        let text = try Shell.run("trace")
        #expect(text.output.hasPrefix("  1. The modules call each other\n"))
    }
}
#endif
