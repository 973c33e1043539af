// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "RideCode",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "RideCode", targets: ["RideCode"])],
    dependencies: [.package(path: "../../Base/Locking"), .package(path: "../../Base/TestSupport")],
    targets: [
        .target(name: "RideCode", dependencies: ["Locking"]),
        .testTarget(name: "RideCodeTests", dependencies: ["Locking", "RideCode", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .treatWarning("DeprecatedDeclaration", as: .warning),
        ]
}
