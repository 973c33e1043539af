// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Pages",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Pages", targets: ["Pages"])],
    dependencies: [.package(path: "../TestSupport")],
    targets: [
        .target(name: "Pages"),
        .testTarget(name: "PagesTests", dependencies: ["Pages", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
