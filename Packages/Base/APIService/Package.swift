// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "APIService",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "APIService", targets: ["APIService", "APITransport"]),
        .library(name: "APICache", targets: ["APICache"]),
        .library(name: "APICoalescing", targets: ["APICoalescing"]),
        .library(name: "APIEvents", targets: ["APIEvents"]),
        .library(name: "APITransfers", targets: ["APITransfers"]),
        .library(name: "APITransport", targets: ["APITransport"]),
        .library(name: "APIServiceTesting", targets: ["APIServiceTesting"]),
    ],
    dependencies: [
        .package(path: "../Digests"),
        .package(path: "../Locking"),
        .package(path: "../Loopback"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "APITransport", dependencies: ["Digests", "Locking"]),
        .target(name: "APIService", dependencies: ["APITransport", "Locking"]),
        .target(name: "APICache", dependencies: ["APIService", "APITransport", "Digests", "Locking"]),
        .target(name: "APICoalescing", dependencies: ["APIService", "Locking"]),
        .target(name: "APIEvents", dependencies: ["APIService", "APITransport", "Locking"]),
        .target(name: "APITransfers", dependencies: ["APIService", "APITransport", "Digests", "Locking"]),
        .target(
            name: "APIServiceTesting",
            dependencies: ["APIService", "APITransfers", "APITransport", "Loopback"]),
        .testTarget(
            name: "APIServiceTests",
            dependencies: [
                "APIService", "APICache", "APICoalescing", "APIEvents", "APITransfers", "APITransport",
                "APIServiceTesting",
                "TestSupport",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
