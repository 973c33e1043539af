// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "GateSQLite",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "GateSQLite", targets: ["GateSQLite"])],
    dependencies: [
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Business/GateApi"),
        .package(path: "../../Common/GateLedger"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "GateSQLite",
            dependencies: ["GateApi", "GateLedger", .product(name: "GRDB", package: "GRDB.swift")]),
        .testTarget(
            name: "GateSQLiteTests",
            dependencies: [
                "GateApi", "GateLedger", "GateSQLite", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
