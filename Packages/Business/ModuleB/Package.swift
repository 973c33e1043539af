// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleB",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "ModuleB", targets: ["ModuleB"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../ModuleAApi"),
        .package(path: "../ModuleBApi"),
        .package(path: "../ModuleCApi"),
    ],
    targets: [
        .target(
            name: "ModuleB",
            dependencies: ["ApiCenter", "Lifecycle", "ModuleAApi", "ModuleBApi", "ModuleCApi"]),
        .testTarget(
            name: "ModuleBTests",
            dependencies: [
                "ApiCenter", "ModuleB", "ModuleBApi",
                "ModuleAApi", .product(name: "ModuleAApiFakes", package: "ModuleAApi"),
                "ModuleCApi", .product(name: "ModuleCApiFakes", package: "ModuleCApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
