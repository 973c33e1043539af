// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Plugin",
    dependencies: [
        // With `traits: []`, SwiftPM does not download swift-syntax for ModuleTool.
        .package(url: "https://github.com/acme/ModuleTool", from: "1.0.0", traits: [])
    ],
    targets: [.target(name: "Library")]
)
