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
    /// The licence's name, such as `MIT`; nil when the file in the package says it.
    let license: String?
    let authors: [String]

    /// - Parameters:
    ///   - license: The licence's name; nil when a file `LICENSE` in the package or the tree begins with it.
    ///   - authors: The authors' names, with commas between them.
    /// - Throws: ``ModuleEdits/EditError`` when the addresses are paths, since a podspec names a server, and when
    ///   nobody is named.
    package init(addresses: AddressTemplate, license: String?, authors: String?) throws(EditError) {
        guard addresses.isRemote else {
            throw EditError(
                .usage, "podspecs need addresses.", why: "A podspec says from where the sources are fetched.",
                mend: "Add --url \"https://github.com/acme/{name}.git\"")
        }
        let names = (authors ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        .filter { !$0.isEmpty }
        guard !names.isEmpty else {
            throw EditError(
                .usage, "podspecs need authors.",
                why: "CocoaPods refuses one without, and nobody here makes them up.",
                mend: "Add --authors \"Ann Author, Bob Builder\"")
        }
        guard license?.allSatisfy(\.isWhitespace) != true else { throw Self.noLicense }
        (self.addresses, self.license, self.authors) = (addresses, license, names)
    }

    private static let noLicense = EditError(
        .usage, "podspecs need a licence.",
        why: "CocoaPods refuses one without, and whoever uses the code has to know what they may.",
        mend: "Put a file LICENSE at the tree's root, its first line the name, or add --license \"MIT\"")

    /// What a package fetches from elsewhere, whose pod nobody here knows: then it has no podspec.
    package static func foreign(to package: ExportedPackage) -> String? {
        package.source.manifest.dependencies.first { $0.path == nil }?.identity
    }

    /// The podspecs by their files' names: one for each library product.
    ///
    /// - Parameter source: The exported manifest.
    func texts(
        of manifest: ExportedManifest, source: String, files: [String: Data]
    ) throws(EditError) -> [String: String] {
        let package = manifest.package
        guard Self.foreign(to: package) == nil else { return [:] }
        let floors = ExportedManifest.floors(in: source)
        let common = try Common(package: package, manifest: source, license: license(of: package, files))
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
                of: product.name, common, folder: String(folder), requires: required)
        }
        if let imp = package.imp {
            let name = ExportedPackage.withImp(package.name)
            texts[name + ".podspec"] = text(
                of: name, common, folder: "Sources/\(name)",
                requires: [
                    (imp.name, floors[imp.name.lowercased()] ?? imp.floor), (package.name, package.version),
                ])
        }
        return texts
    }

    /// What all podspecs of a package say alike.
    private struct Common {
        let package: ExportedPackage
        let license: String
        let languageVersion: String
        let platforms: [(name: String, version: String)]

        init(package: ExportedPackage, manifest: String, license: String) throws(EditError) {
            guard let tools = manifest.prefixMatch(of: /\/\/\s*swift-tools-version:\s*(\d+)/) else {
                throw EditError(
                    .usage, at: package.source.manifestPath, "it does not begin with a version of the tools.",
                    why: "A podspec says in which Swift the sources are written.",
                    mend: "Begin it with: // swift-tools-version: 6.3")
            }
            (self.package, self.license) = (package, license)
            // The language mode that tools of this version choose: there is a 6, and no 6.3.
            languageVersion = "\(tools.1).0"
            platforms = Podspecs.platforms(in: manifest)
        }
    }

    /// Whether a file of a package is its licence.
    static func isLicense(_ path: String) -> Bool { path.hasPrefix("LICENSE") && !path.contains("/") }

    /// What of a podspec decides what an app gets. The rest says whose it is, or follows from the manifest.
    @Sendable static func substance(of text: String) -> String {
        text.split(separator: "\n").filter { $0.contains(/^\s*s\.(name|version|dependency)\b/) }.joined(
            separator: "\n")
    }

    /// The licence as Ruby has it.
    private func license(of package: ExportedPackage, _ files: [String: Data]) throws(EditError) -> String {
        let file = files.keys.sorted().first(where: Self.isLicense)
        let first = file.flatMap { files[$0] }.flatMap { data in
            String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).lazy
                .map { $0.drop { $0 == "#" || $0.isWhitespace } }.first { !$0.isEmpty }
        }
        guard let name = license ?? first.map(String.init) else { throw Self.noLicense }
        guard let file else { return RubyLiteral.hash(["type": name]) }
        return RubyLiteral.hash(["type": name, "file": file])
    }

    private func text(
        of name: String, _ common: Common, folder: String,
        requires: [(name: String, floor: SemanticVersion)]
    ) -> String {
        let ruby = RubyLiteral.string
        let package = common.package
        let address = addresses.address(of: package.name)
        let page = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
        let platforms = common.platforms.map { "  s.\($0.name).deployment_target = \(ruby($0.version))\n" }
        let dependencies = requires.map { "  s.dependency \(ruby($0.name)), \(ruby(">= \($0.floor)"))\n" }
        return """
            Pod::Spec.new do |s|
              s.name = \(ruby(name))
              s.version = \(ruby("\(package.version)"))
              s.summary = \(ruby("\(name), exported from a monorepo of Swift packages."))
              s.homepage = \(ruby(page))
              s.license = \(common.license)
              s.authors = \(RubyLiteral.list(authors))
              s.source = \(RubyLiteral.hash(["git": address, "tag": "\(package.version)"]))
              s.source_files = \(ruby("\(folder)/**/*.swift"))
              s.swift_version = \(ruby(common.languageVersion))
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
