// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "TransitRequests",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TransitRequests", targets: ["TransitRequests"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../ErrorCode"),
    ],
    targets: [
        .target(name: "TransitRequests", dependencies: ["APIService", "ErrorCode"]),
        .testTarget(
            name: "TransitRequestsTests",
            dependencies: [
                "APIService", .product(name: "APIServiceTesting", package: "APIService"), "ErrorCode",
                "TransitRequests",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
