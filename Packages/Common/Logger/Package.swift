// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Logger",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Logger", targets: ["Logger"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Providers"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../LoggerApi"),
    ],
    targets: [
        .target(
            name: "Logger",
            dependencies: ["ApiCenter", "Lifecycle", "Locking", "LoggerApi", "Providers", "Storage"]),
        .testTarget(
            name: "LoggerTests",
            dependencies: [
                "ApiCenter", "Lifecycle", "Logger", "LoggerApi", "Providers", "Storage", "TestSupport",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
