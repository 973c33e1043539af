import ModuleFixtures
import ModuleKit
import RuleFixtures
import Testing

@testable import ModuleRules

@Suite("One verdict for each cause")
struct VerdictTests {
    /// A change that several rules report, and the only finding about it.
    struct Cause: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: String
        /// The beginning of the finding's fix.
        let fix: String
        let changes: [Change]

        init(_ description: String, _ rule: String, fix: String, _ changes: Change...) {
            (testDescription, self.rule, self.fix, self.changes) = (description, rule, fix, changes)
        }
    }

    /// A file that imports a module, which its target does not declare.
    private static func file(_ path: String, _ module: String) -> Change {
        .write(File.beside(path, "More.swift"), "import \(module)\n")
    }

    private static let common = "Packages/Common/"

    static let causes = [
        Cause(
            "an import of a higher layer", "layer-order", fix: "Remove the dependency",
            file(File.mediator, "ErrorCode")),
        Cause(
            "an import of an IMP", "imp-hidden", fix: "Depend on RideApi instead", file(File.journey, "Ride")),
        Cause(
            "an import of an IMP below the Apis", "imp-hidden",
            fix: "Remove the dependency and have a higher layer pass in what Mediator needs",
            file(File.mediator, "Ride")),
        Cause(
            "an unused dependency on a higher layer", "layer-order", fix: "Remove the dependency",
            .write(
                "Packages/Base/Mediator/Package.swift",
                SmallTree.manifest(
                    "Mediator", packages: ["../../Common/ErrorCode"], uses: ["ErrorCode"]))),
        Cause(
            "a dependency of an Api", "api-alone", fix: "Remove the dependency and move the code",
            .write(
                File.rideApiManifest,
                SmallTree.manifest(
                    "RideApi", packages: ["../../Common/ErrorCode"], uses: ["ErrorCode"])),
            file(File.rideApi, "ErrorCode")),
        Cause(
            "an import of an Api", "api-alone", fix: "Remove the import and move the code",
            file(File.rideApi, "ErrorCode")),
        Cause(
            "an import of a facade", "facade-alone", fix: "Remove the dependency; a facade only turns",
            file(File.actions, "RideApi")),
        Cause(
            "an import of a denied module", "denied-use", fix: "Remove the dependency, or allow ErrorCode",
            .write(File.configuration, "deny: [{use: ErrorCode, reason: It goes.}]\n"),
            .edit(File.journeyManifest, "        .package(path: \"../../Common/ErrorCode\"),\n", ""),
            .edit(File.journeyManifest, "\"ErrorCode\", ", "")),
        Cause(
            "imports that form a cycle", "cycles", fix: "Remove one of these dependencies",
            .write(common + "One/Package.swift", SmallTree.manifest("One")),
            .write(common + "One/Sources/One/One.swift", "import Two\n"),
            .write(common + "Two/Package.swift", SmallTree.manifest("Two")),
            .write(common + "Two/Sources/Two/Two.swift", "import One\n")),
        Cause(
            "a cycle with a dependency upward", "layer-order", fix: "Remove the dependency",
            .write(
                "Packages/Base/Mediator/Package.swift",
                SmallTree.manifest(
                    "Mediator", packages: ["../../Common/RideActions"], uses: ["RideActions"])),
            file(File.mediator, "RideActions")),
        Cause(
            "a fake in a target that is not a test", "fakes-in-tests", fix: "Depend on RideApi instead",
            .insert(
                ".target(name: \"RideApiFakes\", dependencies: [\"RideApi\"]), ",
                before: ".target(name: \"RideApi\"", in: File.rideApiManifest),
            .write("Packages/Business/RideApi/Sources/RideApiFakes/Fake.swift", "import RideApi\n"),
            file(File.journey, "RideApiFakes")),
        Cause(
            "an undeclared import of the IMP's own Api", "imp-own-api",
            fix: "Add .package(path: \"../RideApi\")",
            .edit(File.rideManifest, ", \"RideApi\"]", "]"),
            .edit(File.rideManifest, "        .package(path: \"../RideApi\"),\n", "")),
        Cause(
            "a class in an Api, in no signature", "api-content", fix: "Declare a protocol or a struct here",
            .insert("public final class Store {}\n", before: "public enum RideRoute", in: File.rideApi)),
    ]

    @Test("Only the strongest rule reports a cause", arguments: causes)
    func strongest(_ cause: Cause) throws {
        let tree = try SmallTree.make()
        try tree.apply(cause.changes)
        let findings = try tree.findings("pairs", "layers", "imports")
        #expect(findings.map(\.rule) == [cause.rule], "\(findings)")
        #expect(findings.first?.fix.hasPrefix(cause.fix) == true, "\(findings)")
    }

    @Test("A weaker rule that is checked alone reports the cause with the fix of the strongest rule")
    func alone() throws {
        let tree = try SmallTree.make()
        try tree.apply([Self.file(File.mediator, "ErrorCode")])
        let finding = try #require(try tree.findings("import-declared").first)
        #expect(finding.what == "ErrorCode is imported, but the target Mediator does not declare it")
        #expect(finding.fix.hasPrefix("Remove the dependency and have the higher layer pass in"))
        #expect(finding.repair == nil)
        // The declared product can be removed exactly, whatever the reason.
        try tree.write(
            "Packages/Base/Mediator/Package.swift",
            SmallTree.manifest("Mediator", packages: ["../../Common/ErrorCode"], uses: ["ErrorCode"]))
        try tree.write(File.beside(File.mediator, "More.swift"), "struct More {}\n")
        #expect(try tree.findings("dependency-used").map(\.repair) == [.remove])
        #expect(try tree.findings("layers", "imports").map { $0.weaker.map(\.repair) } == [[.remove]])
    }

    @Test("A rule that nobody chose gives its fix to a weak rule, even beside findings of a stronger one")
    func aloneBesideOthers() throws {
        let tree = try SmallTree.make()
        try tree.apply([Self.file(File.mediator, "ErrorCode"), Self.file(File.rideApi, "ErrorCode")])
        let findings = try tree.findings("api-alone", "import-declared")
        #expect(findings.map(\.rule) == ["import-declared", "api-alone"])
        #expect(findings[0].fix.hasPrefix("Remove the dependency and have the higher layer pass in"))
    }

    @Test("Of two findings with causes of a third one, the stronger covers it")
    func twoCauses() {
        func finding(_ rule: String, _ causes: String...) -> Diagnostic {
            Diagnostic(
                .rule(rule), at: SourcePlace(rule), rule, fix: "", cause: Set(causes.map { SourcePlace($0) }))
        }
        let found = [finding("a", "A"), finding("b", "B"), finding("c", "A", "B", "C"), finding("d", "C")]
        let verdicts = Verdicts(found, order: ["a", "b", "c", "d"], chosen: ["a", "b", "c", "d"])
        #expect(verdicts.findings.map(\.rule) == ["a", "b"])
        #expect(verdicts.findings[0].weaker.map(\.rule) == ["c", "d"] && verdicts.findings[1].weaker.isEmpty)
    }

    @Test("A finding about a dependency names five other places at most")
    func notes() throws {
        let tree = try SmallTree.make()
        for name in ["A", "B", "C", "D", "E", "F", "G", "H"] {
            try tree.write(File.beside(File.mediator, "\(name).swift"), "import ErrorCode\n")
        }
        for rule in ["layer-order", "import-declared"] {
            #expect(try tree.findings(rule).map(\.notes.count) == [5], "\(rule)")
        }
    }

    @Test("If a comment allows the finding of a rule, the next rule reports the cause")
    func allowed() throws {
        let tree = try SmallTree.make()
        try tree.write(
            File.beside(File.mediator, "More.swift"),
            "// modules:allow layer-order: until the next release\nimport ErrorCode\n")
        #expect(try tree.findings("layers", "imports").map(\.rule) == ["import-declared"])
    }

    @Test("Dependencies that a manifest computes are separate causes, although they have the same place")
    func computed() throws {
        let tree = try SmallTree.make()
        let names = "[\"ErrorCode\", \"JourneyApi\"].map { .init(stringLiteral: $0) }"
        let paths = ["../../Common/ErrorCode", "../../Business/JourneyApi"]
        try tree.write(
            "Packages/Base/Mediator/Package.swift",
            SmallTree.manifest("Mediator", packages: paths).replacing(
                "dependencies: []", with: "dependencies: \(names)"))
        #expect(try tree.findings("layers").map(\.rule) == ["layer-order", "layer-order"])
    }
}
