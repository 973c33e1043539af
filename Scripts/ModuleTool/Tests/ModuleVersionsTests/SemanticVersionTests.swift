import ModuleVersions
import Testing

@Suite("Semantic versions")
struct SemanticVersionTests {
    /// The example from section 11 of the Semantic Versioning specification, with further versions before, between and
    /// after its versions, in ascending order.
    static let ascending = [
        "0.0.0", "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.1.0", "1.0.0-alpha.beta", "1.0.0-beta",
        "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-beta.11a", "1.0.0-rc.1", "1.0.0", "1.0.10", "1.2.0", "1.10.0",
        "2.0.0-0.3.7", "2.0.0", "10.0.0",
    ]

    @Test(
        "A parsed version prints as it was written",
        arguments: ascending + ["1.0.0+x.01", "1.0.0-a-b.c+--", "1.0.0--"])
    func roundTrip(text: String) {
        #expect(SemanticVersion(text)?.description == text)
    }

    @Test(
        "Invalid version strings are rejected",
        arguments: [
            "", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.00.0", "1.0.0-", "1.0.0+", "1.0.0-a..b",
            "1.0.0-01",
            "1.0.0-ä", "1.0.0 ", " 1.0.0", "-1.0.0", "1.-1.0", "1.0.x", "+1.0.0", "1.0.٣",
            "1.0.99999999999999999999",
            "1.0.0+a+b", "1.0.0-a_b", "latest",
        ])
    func refuses(text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    @Test("Versions are ordered as the Semantic Versioning specification requires")
    func order() throws {
        let versions = try Self.ascending.map { try #require(SemanticVersion($0)) }
        for (index, left) in versions.enumerated() {
            for (other, right) in versions.enumerated() {
                #expect((left < right) == (index < other), "\(left) < \(right)")
                #expect((left == right) == (index == other), "\(left) == \(right)")
            }
        }
    }

    @Test("Build metadata does not affect equality, order or hashing")
    func buildMetadata() throws {
        let (plain, built) = try (#require(SemanticVersion("1.0.0")), #require(SemanticVersion("1.0.0+5")))
        #expect(plain == built)
        #expect(!(plain < built) && !(built < plain))
        #expect(Set([plain, built]).count == 1)
    }

    @Test(
        "Raising a version by a major, minor or patch step gives the next release",
        arguments: [
            ("1.4.2", VersionStep.major, "2.0.0"), ("1.4.2", .minor, "1.5.0"), ("1.4.2", .patch, "1.4.3"),
            ("2.0.0-beta.1", .major, "2.0.0"), ("2.0.0-beta.1", .minor, "2.0.0"),
            ("2.0.0-beta.1", .patch, "2.0.0"),
            ("2.1.0-beta.1", .major, "3.0.0"), ("2.1.1-beta.1", .minor, "2.2.0"),
            ("1.0.0+5", .patch, "1.0.1"),
        ])
    func steps(from: String, step: VersionStep, to: String) {
        #expect(SemanticVersion(from)?.raised(by: step).description == to)
    }

    @Test(
        "Raising a version always increases it, and keeps an Api's version at or above its IMP's version",
        arguments: VersionStep.allCases)
    func monotone(step: VersionStep) throws {
        let versions = try Self.ascending.map { try #require(SemanticVersion($0)) }
        for (index, imp) in versions.enumerated() {
            let raised = imp.raised(by: step)
            #expect(raised > imp)
            for api in versions[index...] { #expect(api.raised(by: step) >= raised) }
        }
    }
}
