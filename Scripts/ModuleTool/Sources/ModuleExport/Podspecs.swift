import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The podspecs of an exported package, for apps that use CocoaPods.
///
/// Every dependency is a floor, `s.dependency "Ride", ">= 2.0.0"`, as seed 1 writes it ("如何使用" 6 and "其它说明").
/// The seed has that line in the Api's podspec, while the IMP depends on the Api: two pods that depend on each
/// other, which CocoaPods refuses as circular. So the line stands in a pod of its own, `RideApiWithImp`, as it does in
/// a product of its own for SwiftPM; `RideApi` has the protocols and depends on nothing.
package struct Podspecs: Sendable {
    /// The address of the repository of each package.
    let addresses: AddressTemplate

    /// - Throws: ``ModuleEdits/EditError`` when the addresses are paths: a podspec names a server.
    package init(addresses: AddressTemplate) throws(EditError) {
        guard addresses.isRemote else {
            throw EditError(
                .usage, "podspecs need addresses.", why: "A podspec says from where the sources are fetched.",
                mend: "Add --url \"https://github.com/acme/{name}.git\"")
        }
        self.addresses = addresses
    }

    /// What a package fetches from elsewhere, whose pod nobody here knows: then it has no podspec.
    package static func foreign(to package: ExportedPackage) -> String? {
        package.source.manifest.dependencies.first { $0.path == nil }?.identity
    }

    /// The podspecs by their files' names: one for each library product.
    ///
    /// - Parameter source: The exported manifest.
    func texts(
        of manifest: ExportedManifest, source: String, files: [String: Data]
    ) -> [String: String] {
        let package = manifest.package
        guard Self.foreign(to: package) == nil else { return [:] }
        let floors = ExportedManifest.floors(in: source)
        var texts: [String: String] = [:]
        for product in package.source.manifest.products where product.targets.contains(product.name) {
            guard let target = package.source.targets.first(where: { $0.name == product.name }) else {
                continue
            }
            let names = target.dependencies.compactMap { dependency -> String? in
                manifest.set.package(dependency.package ?? dependency.name)?.name
                    ?? (package.source.targets.contains { $0.name == dependency.name }
                        ? dependency.name : nil)
            }
            let folder = target.folder.dropFirst(package.source.path.count + 1)
            let required = names.sorted().map { name in
                (name, floors[name.lowercased()] ?? package.version)
            }
            texts[product.name + ".podspec"] = text(
                of: product.name, in: package, folder: String(folder), requires: required, manifest: source,
                files: files)
        }
        if let imp = package.imp {
            let name = ExportedPackage.withImp(package.name)
            texts[name + ".podspec"] = text(
                of: name, in: package, folder: "Sources/\(name)",
                requires: [
                    (imp.name, floors[imp.name.lowercased()] ?? imp.floor), (package.name, package.version),
                ],
                manifest: source, files: files)
        }
        return texts
    }

    private func text(
        of name: String, in package: ExportedPackage, folder: String,
        requires: [(name: String, floor: SemanticVersion)], manifest: String, files: [String: Data]
    ) -> String {
        let address = addresses.address(of: package.name)
        let page = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
        let license = files.keys.sorted().first { $0.hasPrefix("LICENSE") }
        let platforms = Self.platforms(in: manifest).map {
            "  s.\($0.name).deployment_target = \"\($0.version)\"\n"
        }
        let dependencies = requires.map { "  s.dependency \"\($0.name)\", \">= \($0.floor)\"\n" }
        return """
            Pod::Spec.new do |s|
              s.name = "\(name)"
              s.version = "\(package.version)"
              s.summary = "\(name), exported from a monorepo of Swift packages."
              s.homepage = "\(page)"
              s.license = \(license.map { "{ :type => \"See the file\", :file => \"\($0)\" }" } ?? "\"Proprietary\"")
              s.author = "The authors of \(package.name)"
              s.source = { :git => "\(address)", :tag => "\(package.version)" }
              s.source_files = "\(folder)/**/*.swift"
              s.swift_version = "6.0"
            \(platforms.joined())\(dependencies.joined())end

            """
    }

    /// The platforms of a manifest, by the names that CocoaPods has for them.
    private static func platforms(in manifest: String) -> [(name: String, version: String)] {
        let names = [
            "macOS": "osx", "iOS": "ios", "tvOS": "tvos", "watchOS": "watchos", "visionOS": "visionos",
        ]
        return manifest.matches(of: /\.(\w+)\(\.v(\d+)(?:_(\d+))?\)/).compactMap { match in
            names[String(match.1)].map { ($0, "\(match.2).\(match.3 ?? "0")") }
        }
    }
}
