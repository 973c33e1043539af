// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleC",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "ModuleC", targets: ["ModuleC"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../ModuleAApi"),
        .package(path: "../ModuleBApi"),
        .package(path: "../ModuleCApi"),
    ],
    targets: [
        .target(
            name: "ModuleC",
            dependencies: ["ApiCenter", "Lifecycle", "ModuleAApi", "ModuleBApi", "ModuleCApi"]),
        .testTarget(
            name: "ModuleCTests",
            dependencies: [
                "ApiCenter", "ModuleC", "ModuleCApi",
                "ModuleAApi", .product(name: "ModuleAApiFakes", package: "ModuleAApi"),
                "ModuleBApi", .product(name: "ModuleBApiFakes", package: "ModuleBApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
