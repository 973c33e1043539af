// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Plugin",
    dependencies: [
        // Without its traits, the package does not download swift-syntax.
        .package(url: "https://github.com/acme/ModuleTool", from: "1.0.0", traits: [])
    ],
    targets: [.target(name: "Library")]
)
