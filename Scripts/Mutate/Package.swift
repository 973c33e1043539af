// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Mutate",
    platforms: [.macOS(.v15)],
    targets: [
        .executableTarget(name: "Mutate"),
        .testTarget(name: "MutateTests", dependencies: ["Mutate"]),
    ],
    swiftLanguageModes: [.v6])
