import ModuleFixtures
import RuleFixtures
import Testing

@Suite("Apps that the configuration names")
struct ConfiguredAppsTests {
    @Test("In a package without executables, the library that contains the registrations is the app")
    func library() throws {
        let tree = try SmallTree.make()
        try tree.edit("Package.swift", ".executable", ".library")
        try tree.edit("Package.swift", ".libraryTarget", ".target")
        #expect(try tree.findings("app-list").map(\.what) == ["declares no app that could register the IMPs"])
        try tree.write(".modules.yml", "apps: [{registrations: \(File.list)}]\n")
        #expect(try tree.findings("registration") == [])
        try tree.write(File.list, SmallTree.registrations(["Ride"]))
        #expect(
            try tree.findings("registration").map(\.what)
                == [
                    "Shell does not create JourneyModule()",
                    "JourneyApi.JourneyApiProtocol is requested, but Shell with the default traits does not register it",
                ])
    }

    @Test("Each IMP must be linked by at least one app, and instantiated by every app that links it")
    func several() throws {
        let tree = try SmallTree.make()
        let (mini, app) = ("Apps/Mini/Sources/Mini/Mini.swift", "Apps/Mini/Package.swift")
        try tree.write(
            ".modules.yml",
            """
            apps:
              - registrations: \(File.list)
              - manifest: \(app)
                registrations: \(mini)
            """)
        let ride = "../../Packages/Business/Ride"
        try tree.write(
            app,
            SmallTree.manifest("Mini", packages: [ride], uses: ["Ride"]).replacing(
                ".target(", with: ".executableTarget("
            )
            .replacing(".library(", with: ".executable("))
        try tree.write(mini, "import Ride\nlet modules = [RideModule()]\n")
        #expect(try tree.findings("registration", "pairs", "layers") == [])
        try tree.write(mini, "import Ride\n")
        #expect(try tree.findings("app-list").map(\.what) == ["Mini does not create RideModule()"])
        // The first app no longer links Ride, and neither app links Journey.
        try tree.write(mini, "import Ride\nlet modules = [RideModule()]\n")
        try tree.write(File.list, SmallTree.registrations([]))
        try tree.write("Package.swift", SmallTree.rootManifest([]))
        #expect(try tree.findings("app-list").map(\.what) == ["Shell does not link Journey"])
    }

    @Test("Functions with the names of ApiCenter's methods count in a target that imports ApiCenter")
    func otherCalls() throws {
        let tree = try SmallTree.make()
        let file = File.errorCode
        try tree.write(
            file,
            "import Foundation\nfunc use(_ kind: Kind) { client.api(type: kind); client.registerApi(type: kind) { 1 } }\n"
        )
        #expect(try tree.findings("registration") == [])
        try tree.edit(file, "func use", "import ApiCenter\nfunc use")
        #expect(try tree.findings("registration-literal").count == 2)
    }
}
