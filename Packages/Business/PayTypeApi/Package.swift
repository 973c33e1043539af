// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PayTypeApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PayTypeApi", targets: ["PayTypeApi"]),
        .library(name: "PayTypeApiFakes", targets: ["PayTypeApiFakes"]),
    ],
    targets: [
        .target(name: "PayTypeApi"),
        .target(name: "PayTypeApiFakes", dependencies: ["PayTypeApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
