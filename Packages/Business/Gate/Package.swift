// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Gate",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Gate", targets: ["Gate"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Common/GateLedger"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../GateApi"),
    ],
    targets: [
        .target(
            name: "Gate",
            dependencies: ["ApiCenter", "GateApi", "GateLedger", "Lifecycle", "Locking", "Storage"]),
        .testTarget(
            name: "GateTests",
            dependencies: ["ApiCenter", "Gate", "GateApi", "GateLedger", "Storage", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
