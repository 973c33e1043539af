// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "APIService",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "APIService", targets: ["APIService"]),
        .library(name: "APICache", targets: ["APICache"]),
        .library(name: "APIEvents", targets: ["APIEvents"]),
        .library(name: "APITransfers", targets: ["APITransfers"]),
        .library(name: "APIServiceTesting", targets: ["APIServiceTesting"]),
    ],
    dependencies: [
        .package(path: "../Digests"),
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "APIService", dependencies: ["Locking"]),
        .target(name: "APICache", dependencies: ["APIService", "Digests", "Locking"]),
        .target(name: "APIEvents", dependencies: ["APIService", "Locking"]),
        .target(name: "APITransfers", dependencies: ["APIService", "Locking"]),
        .target(name: "APIServiceTesting", dependencies: ["APIService"]),
        .testTarget(
            name: "APIServiceTests",
            dependencies: [
                "APIService", "APICache", "APIEvents", "APITransfers", "APIServiceTesting", "TestSupport",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .treatWarning("DeprecatedDeclaration", as: .warning),
        ]
}
