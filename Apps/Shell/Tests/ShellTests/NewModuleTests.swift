import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension CopyDeepTests {
    @Suite("The modules that Scripts/new-module creates")
    struct NewModuleTests {
        @Test("New modules and alternatives build, pass their tests and run in the Shell")
        func newModules() throws {
            let copy = try TreeCopy()
            for arguments in [
                "Passenger --layer common", "Wallet --calls ModuleA,Passenger",
                "ModuleBOther --alternative-to ModuleB", "PassengerOther --alternative-to Passenger",
            ] {
                let made = try copy.bash("Scripts/new-module \(arguments)")
                try #require(made.status == 0, "\(arguments): \(made.errors)")
            }
            // The root runs the new tests too.
            let root = try copy.bash("swift package describe --type json")
            for name in ["Wallet", "Passenger", "ModuleBOther", "PassengerOther"] {
                #expect(root.output.contains("\"name\" : \"\(name)Tests\""))
            }
            let packages = [
                "Business/Wallet", "Common/Passenger", "Business/ModuleBOther", "Common/PassengerOther",
            ]
            var count = 0
            for package in packages {
                let tests = try copy.bash(
                    "swift test --package-path Packages/\(package) --scratch-path .build-new 2>&1")
                let passed = tests.output.firstMatch(of: /(\d+) tests? in 1 suite passed/)
                #expect(tests.status == 0 && passed != nil, "\(tests.output)")
                count += passed.flatMap { Int($0.1) } ?? 0
            }
            #expect(count == 6)
            let whole = try copy.shell()
            #expect(whole.output.contains(#/  Wallet +0\.1\.0  prepared in /#))
            #expect(whole.output.contains(#/  Passenger +0\.1\.0  prepared in /#))
            #expect(whole.output.contains(#/  ModuleBOther +left out of this build/#))
            // ModuleA compiles without ModuleB and calls ModuleB's alternative, and Wallet can be left out.
            let chosen = try copy.shell(traits: ["ModuleA", "ModuleBOther"])
            #expect(chosen.output.contains("ModuleA hears: \"I am ModuleB.\", no answer\n"))
            #expect(
                chosen.output.contains(
                    #/  ModuleB hears: "I am ModuleA\.", no answer\n(.*\n)+ +ModuleBOther -> ModuleAApi +descriptionA/#
                ))
            #expect(chosen.output.contains(#/  Wallet +left out of this build/#))
        }
    }
}
#endif
