// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleCApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ModuleCApi", targets: ["ModuleCApi"]),
        .library(name: "ModuleCApiFakes", targets: ["ModuleCApiFakes"]),
    ],
    targets: [
        .target(name: "ModuleCApi"),
        .target(name: "ModuleCApiFakes", dependencies: ["ModuleCApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
