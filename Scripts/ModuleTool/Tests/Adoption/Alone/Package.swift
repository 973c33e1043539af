// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Radio",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/acme/ApiCenter", from: "1.0.0")],
    targets: [.executableTarget(name: "Radio", dependencies: ["ApiCenter"])]
)
