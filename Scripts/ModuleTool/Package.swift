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
        .target(name: "ModuleBytes", swiftSettings: optimised),
        .target(
            name: "ModuleTree",
            dependencies: ["ModuleBytes", swiftParser, swiftSyntax, .product(name: "Yams", package: "Yams")]),
        .target(name: "ModuleVersions", dependencies: ["ModuleTree"]),
        .target(
            name: "ModuleRules", dependencies: ["ModuleBytes", "ModuleTree", "ModuleVersions"],
            resources: [.embedInCode("Rules.md")]),
        .target(
            name: "ModuleEdits",
            dependencies: ["ModuleBytes", "ModuleTree", "ModuleVersions", swiftSyntax],
            resources: [.embedInCode("Templates")]),
        .target(
            name: "ModuleExport",
            dependencies: ["ModuleTree", "ModuleVersions", swiftSyntax]),
        .target(name: "ModuleTests", dependencies: ["ModuleBytes", "ModuleTree"]),
        .executableTarget(
            name: "moduletool",
            dependencies: [
                "ModuleEdits", "ModuleExport", "ModuleRules", "ModuleTests", "ModuleTree", "ModuleVersions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [
                .embedInCode("Focus/Check.template"), .embedInCode("Graph/Page/layout.js"),
                .embedInCode("Graph/Page/map.js"), .embedInCode("Graph/Page/model.js"),
                .embedInCode("Graph/Page/page.css"), .embedInCode("Graph/Page/page.js"),
                .embedInCode("Graph/Page/panel.js"), .embedInCode("Graph/Page/save.js"),
            ]),
    ]
)

// The tests, which an export leaves out. `launch` does not hash the lines from here to the next empty one. The suites
// of ModulesDeepTests take minutes, or copy the whole tree. Only `Scripts/test --deep` and `--third-party` compile them.
package.targets += [
    // Small trees that the tests write to temporary folders.
    .target(name: "ModuleFixtures", dependencies: ["ModuleTree"], path: "Tests/ModuleFixtures"),
    // Exports the small tree.
    .target(
        name: "ExportFixtures",
        dependencies: ["ModuleExport", "ModuleFixtures", "ModuleTree", "ModuleVersions"],
        path: "Tests/ExportFixtures"),
    // Makes a tree as `init` does, and runs the built tool. Tests that run it have to link moduletool.
    .target(
        name: "ToolFixtures", dependencies: ["ModuleEdits", "ModuleFixtures", "ModuleTree"],
        path: "Tests/ToolFixtures"),
    .testTarget(name: "ModuleVersionsTests", dependencies: ["ModuleTree", "ModuleVersions"]),
    .testTarget(name: "ModuleTreeTests", dependencies: ["ModuleFixtures", "ModuleTree"]),
    .testTarget(
        name: "ModuleRulesTests",
        dependencies: ["ModuleFixtures", "ModuleRules", "ModuleTree", "ModuleVersions"]),
    .testTarget(
        name: "ModuleEditsTests",
        dependencies: [
            "ModuleEdits", "ModuleFixtures", "ModuleRules", "ModuleTree", "ModuleVersions",
            "ToolFixtures",
        ]),
    .testTarget(
        name: "ModuleExportTests",
        dependencies: [
            "ExportFixtures", "ModuleExport", "ModuleFixtures", "ModuleTree", "ModuleVersions",
        ]),
    .testTarget(
        name: "ModuleTestsTests",
        dependencies: ["ModuleFixtures", "ModuleTests", "ModuleTree"]),
    .testTarget(
        name: "ModulesTests",
        dependencies: ["ModuleFixtures", "ModuleRules", "ModuleTree", "ToolFixtures", "moduletool"]),
]
if Context.environment["TEST_DEEP"] != nil {
    package.targets += [
        .testTarget(
            name: "ModulesDeepTests",
            dependencies: ["ExportFixtures", "ModuleExport", "ModuleFixtures", "ModuleTree", "ToolFixtures"])
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
