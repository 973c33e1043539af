// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "AsyncHTTPAPIClient",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "AsyncHTTPAPIClient", targets: ["AsyncHTTPAPIClient"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/TestSupport"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPAPIClient",
            dependencies: [
                "Locking",
                .product(name: "APIService", package: "APIService"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "AsyncHTTPAPIClientTests",
            dependencies: [
                "AsyncHTTPAPIClient",
                .product(name: "APIService", package: "APIService"),
                .product(name: "APICache", package: "APIService"),
                .product(name: "APICoalescing", package: "APIService"),
                .product(name: "APIEvents", package: "APIService"),
                .product(name: "APIServiceTesting", package: "APIService"),
                .product(name: "APITransfers", package: "APIService"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "TestSupport", package: "TestSupport"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
