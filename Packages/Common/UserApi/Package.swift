// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "UserApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "UserApi", targets: ["UserApi"]),
        .library(name: "UserApiFakes", targets: ["UserApiFakes"]),
    ],
    targets: [
        .target(name: "UserApi"),
        .target(name: "UserApiFakes", dependencies: ["UserApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
