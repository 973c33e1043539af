// swift-tools-version: 6.3
import PackageDescription

let swiftSyntax: [Target.Dependency] = [
    .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["SwiftSyntax"])),
    .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["SwiftSyntax"])),
]

let package = Package(
    name: "ModuleTool",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "modules", targets: ["modules"])],
    traits: [
        .default(enabledTraits: ["SwiftSyntax"]),
        .trait(
            name: "SwiftSyntax",
            description: "Compiles swift-syntax. `launch` takes the toolchain's, if it has one."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .target(name: "ModuleVersions"),
        .target(
            name: "ModuleTree",
            dependencies: swiftSyntax,
            // What a first run waits for is optimised in the default build too; it costs seconds to build.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(name: "ModuleRules", dependencies: ["ModuleTree", "ModuleVersions"]),
        .target(
            name: "ModuleEdits",
            dependencies: ["ModuleTree", "ModuleVersions"] + swiftSyntax),
        .target(
            name: "ModuleExport",
            dependencies: ["ModuleEdits", "ModuleTree", "ModuleVersions"] + swiftSyntax),
        .executableTarget(
            name: "modules",
            dependencies: [
                "ModuleEdits", "ModuleExport", "ModuleRules", "ModuleTree", "ModuleVersions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Small trees that the tests write to temporary folders.
        .target(name: "ModuleFixtures", path: "Tests/ModuleFixtures"),
        .testTarget(name: "ModuleVersionsTests", dependencies: ["ModuleVersions"]),
        .testTarget(name: "ModuleTreeTests", dependencies: ["ModuleFixtures", "ModuleTree"]),
        .testTarget(
            name: "ModuleRulesTests",
            dependencies: ["ModuleFixtures", "ModuleRules", "ModuleTree"]),
        .testTarget(
            name: "ModuleEditsTests",
            dependencies: ["ModuleEdits", "ModuleFixtures", "ModuleRules", "ModuleTree", "ModuleVersions"]),
        .testTarget(
            name: "ModuleExportTests",
            dependencies: [
                "ModuleEdits", "ModuleExport", "ModuleFixtures", "ModuleTree", "ModuleVersions",
            ]),
        .testTarget(
            name: "ModulesTests",
            dependencies: ["ModuleFixtures", "ModuleRules", "ModuleTree", "modules"]),
    ]
)

// The house settings, the same lines in every manifest.
for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .treatWarning("DeprecatedDeclaration", as: .warning),
        ]
}
