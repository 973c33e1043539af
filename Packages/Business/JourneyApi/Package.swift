// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "JourneyApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "JourneyApi", targets: ["JourneyApi"]),
        .library(name: "JourneyApiFakes", targets: ["JourneyApiFakes"]),
    ],
    targets: [
        .target(name: "JourneyApi"),
        .target(name: "JourneyApiFakes", dependencies: ["JourneyApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
