// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Kiosk",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "Packages/Prices")
    ],
    targets: [
        .executableTarget(name: "Kiosk", dependencies: ["Prices"])
    ]
)
