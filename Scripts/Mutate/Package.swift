// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Mutate",
    platforms: [.macOS(.v15)],
    targets: [
        .executableTarget(name: "Mutate"),
        .testTarget(name: "MutateTests", dependencies: ["Mutate"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
