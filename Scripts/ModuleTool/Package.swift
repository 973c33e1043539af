// swift-tools-version: 6.3
import PackageDescription

let swiftSyntax = Target.Dependency.product(
    name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["SwiftSyntax"]))
let swiftParser = Target.Dependency.product(
    name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["SwiftSyntax"]))

// Without optimisation, a check would spend most of its time in loops over bytes. `launch` optimises their target in debug
// builds too, and nothing else: that would double the time of the first build.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(traits: ["Optimised"]))]

let package = Package(
    name: "ModuleTool",
    platforms: [.macOS(.v15)],
    // Not `modules`: SwiftPM creates the folder `Modules` beside the executable, and some disks ignore case.
    products: [.executable(name: "moduletool", targets: ["moduletool"])],
    traits: [
        .default(enabledTraits: ["SwiftSyntax"]),
        .trait(
            name: "SwiftSyntax",
            description: "Compiles swift-syntax; off if `launch` finds the library in the toolchain."),
        .trait(
            name: "Optimised",
            description:
                "Optimises the target that reads bytes, in which a check would spend most of its time."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // What the features share, each above those that it depends on.
        .target(name: "ModuleBytes", swiftSettings: optimised),
        .target(name: "ModuleKit", dependencies: ["ModuleBytes"]),
        .target(name: "ModuleFacts", dependencies: ["ModuleBytes", "ModuleKit", swiftParser, swiftSyntax]),
        .target(
            name: "ModuleTree",
            dependencies: [
                "ModuleBytes", "ModuleFacts", "ModuleKit", swiftSyntax,
                .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "ModuleVersions", dependencies: ["ModuleFacts", "ModuleKit"],
            resources: [.embedInCode("Versions.template")]),
        .target(
            name: "ModuleRules",
            dependencies: ["ModuleFacts", "ModuleKit", "ModuleTree", "ModuleVersions"],
            resources: [.embedInCode("Rules.md")]),
        .target(
            name: "ModuleEdits",
            dependencies: ["ModuleBytes", "ModuleKit", "ModuleTree", "ModuleVersions", swiftSyntax]),
        // The features, which do not depend on each other: one target for each thing that the tool does.
        .target(
            name: "ModuleChecks",
            dependencies: ["ModuleBytes", "ModuleFacts", "ModuleKit", "ModuleRules", "ModuleTree"],
            exclude: ["README.md"]),
        .target(
            name: "ModuleReleases",
            dependencies: [
                "ModuleEdits", "ModuleFacts", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleVersions",
            ],
            exclude: ["README.md"]),
        .target(
            name: "ModuleExport",
            dependencies: ["ModuleFacts", "ModuleKit", "ModuleTree", "ModuleVersions", swiftSyntax],
            exclude: ["README.md"]),
        .target(
            name: "ModuleScaffold",
            dependencies: [
                "ModuleBytes", "ModuleEdits", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleVersions",
                swiftSyntax,
            ],
            exclude: ["README.md"],
            resources: [
                .embedInCode("Init/IOS"), .embedInCode("Init/Templates"), .embedInCode("Pairs/Templates"),
            ]),
        .target(
            name: "ModuleRemote",
            dependencies: [
                "ModuleEdits", "ModuleFacts", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleVersions",
                swiftParser, swiftSyntax,
            ],
            exclude: ["README.md"],
            resources: [.embedInCode("Templates")]),
        .target(
            name: "ModuleTestCache", dependencies: ["ModuleBytes", "ModuleKit", "ModuleTree"],
            exclude: ["README.md"]),
        .target(
            name: "ModuleGraph", dependencies: ["ModuleKit", "ModuleTree", "ModuleVersions"],
            exclude: ["README.md"],
            resources: [.embedInCode("Page")]),
        .target(
            name: "ModuleFocus",
            dependencies: ["ModuleEdits", "ModuleKit", "ModuleTree", "ModuleVersions"],
            exclude: ["README.md"], resources: [.embedInCode("Check.template")]),
        // The command line.
        .executableTarget(
            name: "moduletool",
            dependencies: [
                "ModuleChecks", "ModuleExport", "ModuleFocus", "ModuleGraph", "ModuleEdits", "ModuleKit",
                "ModuleRules", "ModuleTree", "ModuleVersions", "ModuleReleases", "ModuleRemote",
                "ModuleScaffold",
                "ModuleTestCache", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)

// The tests, which an export leaves out. `launch` does not hash the lines from here to the next empty one. The suites
// of ModulesDeepTests take minutes, or copy the whole tree. Only `Scripts/test --deep` and `--third-party` compile them.
package.targets += [
    // Small trees that the tests write to temporary folders.
    .target(
        name: "ModuleFixtures", dependencies: ["ModuleKit"],
        path: "Tests/ModuleFixtures"),
    // Changes of the small tree, and the findings that they cause.
    .target(
        name: "RuleFixtures",
        dependencies: [
            "ModuleChecks", "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleReleases",
        ],
        path: "Tests/RuleFixtures"),
    // Exports the small tree.
    .target(
        name: "ExportFixtures",
        dependencies: ["ModuleExport", "ModuleFixtures", "ModuleKit", "ModuleTree", "ModuleVersions"],
        path: "Tests/ExportFixtures"),
    // Makes a tree as `init` does, and runs the built tool. Tests that run it have to link moduletool.
    .target(
        name: "ToolFixtures",
        dependencies: ["ModuleEdits", "ModuleFixtures", "ModuleKit", "ModuleScaffold"],
        path: "Tests/ToolFixtures"),
    .testTarget(name: "ModuleKitTests", dependencies: ["ModuleKit"]),
    .testTarget(name: "ModuleFactsTests", dependencies: ["ModuleFacts", "ModuleFixtures", "ModuleKit"]),
    .testTarget(
        name: "ModuleTreeTests", dependencies: ["ModuleFacts", "ModuleFixtures", "ModuleKit", "ModuleTree"]),
    .testTarget(
        name: "ModuleVersionsTests",
        dependencies: ["ModuleKit", "ModuleVersions"]),
    .testTarget(
        name: "ModuleRulesTests",
        dependencies: [
            "ModuleFacts", "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "RuleFixtures",
        ]),
    .testTarget(
        name: "ModuleEditsTests",
        dependencies: ["ModuleEdits", "ModuleFixtures", "ModuleKit", "ModuleTree"]),
    .testTarget(
        name: "ModuleChecksTests",
        dependencies: [
            "ModuleChecks", "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "RuleFixtures",
        ]),
    .testTarget(
        name: "ModuleReleasesTests",
        dependencies: [
            "ModuleEdits", "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleVersions",
            "ModuleReleases", "RuleFixtures", "ToolFixtures", "moduletool",
        ]),
    .testTarget(
        name: "ModuleExportTests",
        dependencies: [
            "ModuleExport", "ExportFixtures", "ModuleFixtures", "ModuleKit", "ModuleVersions", "ToolFixtures",
            "moduletool",
        ]),
    .testTarget(
        name: "ModuleScaffoldTests",
        dependencies: [
            "ModuleEdits", "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "ModuleVersions",
            "RuleFixtures", "ModuleScaffold", "ToolFixtures", "moduletool",
        ]),
    .testTarget(
        name: "ModuleRemoteTests",
        dependencies: ["ModuleFixtures", "ModuleTree", "ModuleRemote", "ToolFixtures", "moduletool"]),
    .testTarget(
        name: "ModuleTestCacheTests",
        dependencies: [
            "ModuleBytes", "ModuleFixtures", "ModuleKit", "ModuleTree", "ModuleTestCache", "ToolFixtures",
            "moduletool",
        ]),
    .testTarget(
        name: "ModuleGraphTests",
        dependencies: [
            "ModuleGraph", "ModuleFixtures", "ModuleKit", "ModuleTree", "RuleFixtures", "ToolFixtures",
            "moduletool",
        ]),
    .testTarget(
        name: "ModuleFocusTests",
        dependencies: ["ModuleFixtures", "ModuleKit", "ToolFixtures", "moduletool"]),
    .testTarget(
        name: "CommandLineTests",
        dependencies: [
            "ModuleFixtures", "ModuleKit", "ModuleRules", "ModuleTree", "RuleFixtures", "ToolFixtures",
            "moduletool",
        ]),
]
if Context.environment["TEST_DEEP"] != nil {
    package.targets += [
        .testTarget(
            name: "ModulesDeepTests",
            dependencies: [
                "ModuleExport", "ExportFixtures", "ModuleFixtures", "ModuleKit", "ModuleTree", "ToolFixtures",
            ])
    ]
}

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}

// `swift package modules` starts `launch`. The plugin does not depend on the tool, because every package that uses the
// plugin would compile the tool again. A plugin target accepts no settings, so this one is added after the loop.
package.products.append(.plugin(name: "modules", targets: ["modules"]))
package.targets.append(
    .plugin(
        name: "modules",
        capability: .command(
            intent: .custom(verb: "modules", description: "Reads, checks and edits a tree of module pairs.")))
)
