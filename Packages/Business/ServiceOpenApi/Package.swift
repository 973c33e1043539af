// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ServiceOpenApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ServiceOpenApi", targets: ["ServiceOpenApi"]),
        .library(name: "ServiceOpenApiFakes", targets: ["ServiceOpenApiFakes"]),
    ],
    targets: [
        .target(name: "ServiceOpenApi"),
        .target(name: "ServiceOpenApiFakes", dependencies: ["ServiceOpenApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
