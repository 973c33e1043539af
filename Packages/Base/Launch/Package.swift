// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Launch",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Launch", targets: ["Launch"])],
    dependencies: [
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../Lifecycle"),
        .package(path: "../Links"),
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Launch", dependencies: ["ApiCenter", "Lifecycle", "Links", "Locking"]),
        .testTarget(
            name: "LaunchTests", dependencies: ["ApiCenter", "Launch", "Lifecycle", "Links", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
