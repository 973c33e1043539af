// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Links",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Links", targets: ["Links"])],
    dependencies: [
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Links", dependencies: ["ApiCenter", "Locking"]),
        .testTarget(name: "LinksTests", dependencies: ["ApiCenter", "Links", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
