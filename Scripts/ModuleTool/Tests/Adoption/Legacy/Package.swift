// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "OldRadio",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/acme/ApiCenter", from: "1.0.0")],
    targets: [
        // Minimal stand-ins for the containers of Swinject and of Factory, and for CTMediator.
        .target(name: "Legacy"),
        // The pairs that the modules become, as targets instead of packages.
        .target(name: "PlayerApi"),
        .target(name: "Player", dependencies: ["ApiCenter", "PlayerApi"]),
        .target(name: "LibraryApi"),
        .target(name: "Library", dependencies: ["ApiCenter", "LibraryApi"]),
        // The application before the migration and after each step. All four executables print the same output.
        .executableTarget(name: "Before", dependencies: ["Legacy", "PlayerApi"]),
        .executableTarget(name: "Step1", dependencies: ["ApiCenter", "Legacy", "PlayerApi"]),
        .executableTarget(name: "Step2", dependencies: ["ApiCenter", "Legacy", "Player", "PlayerApi"]),
        .executableTarget(
            name: "Step3",
            dependencies: ["ApiCenter", "Legacy", "Library", "LibraryApi", "Player", "PlayerApi"]),
    ],
    // Old code keeps the language mode that it was written in.
    swiftLanguageModes: [.v5]
)
