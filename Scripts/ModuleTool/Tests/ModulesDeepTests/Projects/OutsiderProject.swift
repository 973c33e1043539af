import Foundation
import ModuleExport
import ModuleFixtures
import ModuleKit
import ModuleTree
import Testing

/// A project that depends on exported packages by address and version, links all of their products, and runs the
/// tests of some packages. Its test targets are the packages' test targets, taken from clones of the repositories.
///
/// One project resolves and builds all packages together, because a build per package takes three times as
/// long.
struct OutsiderProject {
    let folder: URL
    private let manifests: [(package: String, address: String, version: String, manifest: Manifest)]
    private let tested: Set<String>

    /// - Parameters:
    ///   - folder: The folder to write the project to.
    ///   - repositories: The folder with the repositories. The project depends on all of them.
    ///   - tested: The packages whose tests the project runs.
    init(in folder: URL, on repositories: URL, testing tested: Set<String>) throws {
        (self.folder, self.tested) = (folder, tested)
        manifests = try FileManager.default.contentsOfDirectory(atPath: repositories.path).sorted().map {
            name in
            let address = "file://\(repositories.path)/\(name)"
            let clone = folder.appending(path: name)
            try Self.run(["git", "clone", "--quiet", address, clone.path])
            let dump = try Self.run(["swift", "package", "dump-package", "--package-path", clone.path])
            let version = try Self.run(["git", "-C", clone.path, "describe", "--tags", "--exact-match"]).text
            return (
                name, address, version.trimmingCharacters(in: .whitespacesAndNewlines),
                try JSONDecoder().decode(Manifest.self, from: dump.standardOutput)
            )
        }
        let main = folder.appending(path: "Sources/App/main.swift")
        try FileManager.default.createDirectory(
            at: main.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("print(\"linked\")\n".utf8).write(to: main)
        try Data(text.utf8).write(to: folder.appending(path: "Package.swift"))
    }

    /// The names of the test targets that the project runs.
    var tests: [String] {
        manifests.filter { tested.contains($0.package) }.flatMap {
            $0.manifest.targets.filter(\.isTest).map(\.name)
        }
    }

    /// The names of the packages.
    var packages: [String] { manifests.map(\.package) }

    private var text: String {
        let own = Set(packages.map { $0.lowercased() })
        let foreign = manifests.flatMap(\.manifest.dependencies).flatMap(\.sourceControl).filter {
            !own.contains($0.identity)
        }
        let dependencies =
            manifests.map { ".package(url: \"\($0.address)\", exact: \"\($0.version)\")" }
            + Set(foreign.map(\.declaration)).sorted()
        let products = manifests.flatMap { package, _, _, manifest in
            manifest.products.filter(\.isLibrary).map { Self.product($0.name, of: package) }
        }
        let tests = manifests.filter { tested.contains($0.package) }.flatMap { package, _, _, manifest in
            manifest.targets.filter(\.isTest).map { $0.declaration(in: package, of: manifest) }
        }
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "Outsider",
                platforms: [.macOS(.v15)],
                dependencies: [
                    \(dependencies.joined(separator: ",\n        "))
                ],
                targets: [
                    .executableTarget(name: "App", dependencies: [
                        \(products.joined(separator: ",\n            "))
                    ]),
                    \(tests.joined(separator: ",\n        "))
                ]
            )

            """
    }

    fileprivate static func product(_ name: String, of package: String) -> String {
        ".product(name: \"\(name)\", package: \"\(package)\")"
    }

    @discardableResult
    private static func run(_ command: [String]) throws -> Command.Output {
        let output = try Command.run(command, in: "/")
        try #require(output.status == 0, "\(command): \(output.standardError)")
        return output
    }
}

extension OutsiderProject {
    /// The part of the output of `swift package dump-package` that the project needs.
    struct Manifest: Decodable {
        let products: [Product]
        let dependencies: [Dependency]
        let targets: [Target]

        struct Product: Decodable {
            let name: String
            private let type: [String: Setting.Anything]

            var isLibrary: Bool { type["library"] != nil }
        }
    }

    struct Dependency: Decodable {
        let sourceControl: [Source]

        struct Source: Decodable {
            let identity: String
            let location: Location
            let requirement: Requirement

            var declaration: String {
                let address = location.remote?.first?.urlString ?? ""
                let range = requirement.range.map { "\"\($0.lowerBound)\"..<\"\($0.upperBound)\"" }.joined()
                return ".package(url: \"\(address)\", \(range))"
            }
        }

        struct Location: Decodable { let remote: [Address]? }
        struct Address: Decodable { let urlString: String }
        struct Requirement: Decodable { let range: [Bounds] }
        struct Bounds: Decodable { let lowerBound: String, upperBound: String }
    }

    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        /// The dependencies, each keyed by its kind: `byName`, `product` or `target`.
        let dependencies: [[String: Reference]]
        let settings: [Setting]

        var isTest: Bool { type == "test" }

        func declaration(in package: String, of manifest: Manifest) -> String {
            let uses = dependencies.flatMap(\.values).map { used in
                let isOwn = manifest.targets.contains { $0.name == used.name }
                return product(used.name, of: used.package ?? (isOwn ? package : used.name))
            }
            let isMain = settings.contains { $0.kind["defaultIsolation"] != nil }
            return """
                .testTarget(
                            name: "\(name)", dependencies: [\(uses.joined(separator: ", "))],
                            path: "\(package)/\(path ?? "Tests/\(name)")",
                            swiftSettings: [\(isMain ? ".defaultIsolation(MainActor.self)" : "")])
                """
        }
    }

    /// The name of a target or product, and the name of its package if the manifest gives one.
    struct Reference: Decodable {
        let name: String
        let package: String?

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            package = try? list.decode(String.self)
        }
    }

    /// A build setting, of which only the kind is decoded.
    struct Setting: Decodable {
        let kind: [String: Anything]

        struct Anything: Decodable { init(from decoder: any Decoder) {} }
    }
}
