// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "GateRemote",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "GateRemote", targets: ["GateRemote"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Business/GateApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../RemotePairs"),
    ],
    targets: [
        .target(name: "GateRemote", dependencies: ["ApiCenter", "GateApi", "Lifecycle", "RemotePairs"]),
        .testTarget(
            name: "GateRemoteTests", dependencies: ["ApiCenter", "GateApi", "GateRemote", "RemotePairs"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
