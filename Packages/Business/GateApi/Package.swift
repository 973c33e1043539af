// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "GateApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "GateApi", targets: ["GateApi"]),
        .library(name: "GateApiFakes", targets: ["GateApiFakes"]),
    ],
    targets: [
        .target(name: "GateApi"),
        .target(name: "GateApiFakes", dependencies: ["GateApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
