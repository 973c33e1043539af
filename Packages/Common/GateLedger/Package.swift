// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "GateLedger",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "GateLedger", targets: ["GateLedger"])],
    dependencies: [.package(path: "../../Business/GateApi")],
    targets: [.target(name: "GateLedger", dependencies: ["GateApi"])]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
