// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleA",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "ModuleA", targets: ["ModuleA"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../ModuleAApi"),
        .package(path: "../ModuleBApi"),
        .package(path: "../ModuleCApi"),
    ],
    targets: [
        .target(
            name: "ModuleA",
            dependencies: ["ApiCenter", "Lifecycle", "Links", "ModuleAApi", "ModuleBApi", "ModuleCApi"]),
        .testTarget(
            name: "ModuleATests",
            dependencies: [
                "ApiCenter", "Links", "ModuleA", "ModuleAApi",
                "ModuleBApi", .product(name: "ModuleBApiFakes", package: "ModuleBApi"),
                "ModuleCApi", .product(name: "ModuleCApiFakes", package: "ModuleCApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
