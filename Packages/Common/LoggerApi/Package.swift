// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "LoggerApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "LoggerApi", targets: ["LoggerApi"]),
        .library(name: "LoggerApiFakes", targets: ["LoggerApiFakes"]),
    ],
    targets: [
        .target(name: "LoggerApi"),
        .target(name: "LoggerApiFakes", dependencies: ["LoggerApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
