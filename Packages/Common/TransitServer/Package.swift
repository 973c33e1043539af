// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "TransitServer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TransitServer", targets: ["TransitServer"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../ErrorCode"),
    ],
    targets: [
        .target(name: "TransitServer", dependencies: ["APIService", "ErrorCode"]),
        .testTarget(
            name: "TransitServerTests",
            dependencies: [
                "APIService", .product(name: "APIServiceTesting", package: "APIService"), "ErrorCode",
                "TransitServer",
            ]),
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
