// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Mediator",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Mediator", targets: ["Mediator"])],
    dependencies: [
        .package(path: "../Links"),
        .package(path: "../Locking"),
        .package(path: "../Routes"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Mediator", dependencies: ["Links", "Locking"]),
        .testTarget(
            name: "MediatorTests", dependencies: ["Links", "Mediator", "Routes", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
