// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ModuleAApi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ModuleAApi", targets: ["ModuleAApi"]),
        .library(name: "ModuleAApiFakes", targets: ["ModuleAApiFakes"]),
    ],
    targets: [
        .target(name: "ModuleAApi"),
        .target(name: "ModuleAApiFakes", dependencies: ["ModuleAApi"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
