// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleBApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ModuleBApi", targets: ["ModuleBApi"]),
        .library(name: "ModuleBApiFakes", targets: ["ModuleBApiFakes"]),
    ],
    targets: [
        .target(name: "ModuleBApi"),
        .target(name: "ModuleBApiFakes", dependencies: ["ModuleBApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
