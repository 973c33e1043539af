import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The trace command")
struct TraceTests {
    @Test("The trace command prints the steps of the day as text or JSON")
    func steps() throws {
        let json = try Shell.run("trace", "--json")
        let day = try JSONDecoder().decode(DayRecord.self, from: Data(json.output.utf8))
        #expect(day.steps.count == 15)
        let text = try Shell.run("trace")
        #expect(text.output.hasPrefix("  1. The modules call each other\n"))
        let titles = text.output.matches(of: /(?m)^  \d+\. (.*)$/).map { String($0.1) }
        #expect(titles == day.steps.map(\.title))
    }
}
#endif
