// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ApiCenter",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ApiCenter", targets: ["ApiCenter"]),
        .library(name: "ApiCenterTesting", targets: ["ApiCenterTesting"]),
    ],
    targets: [
        .target(name: "ApiCenter"),
        .target(name: "ApiCenterTesting", dependencies: ["ApiCenter"]),
        .testTarget(name: "ApiCenterTests", dependencies: ["ApiCenter", "ApiCenterTesting"]),
        .testTarget(
            name: "ApiCenterMainActorTests", dependencies: ["ApiCenter"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
