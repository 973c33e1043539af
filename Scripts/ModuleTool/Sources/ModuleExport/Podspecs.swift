import Foundation
import ModuleTree
import ModuleVersions

/// Generates the podspecs of an exported package, for apps that use CocoaPods.
///
/// Every dependency is a floor, `s.dependency "Ride", ">= 2.0.0"`, as in seed 1 ("如何使用" 6 and "其它说明"). The seed puts
/// this line in the Api's podspec, but the IMP also depends on the Api, and CocoaPods rejects circular dependencies.
/// So the line is in a separate pod, `RideApiWithImp`, which corresponds to the separate SwiftPM product. The pod
/// `RideApi` contains the protocols and depends on nothing.
package struct Podspecs: Sendable {
    /// The addresses of the packages' repositories.
    let addresses: AddressTemplate
    /// The licence's name, such as `MIT`; nil to take it from the licence file.
    let license: String?
    let authors: [String]

    /// - Parameters:
    ///   - addresses: The addresses of the packages' repositories, which must not be relative paths.
    ///   - license: The licence's name; nil to take it from the first line of the licence file.
    ///   - authors: The authors' names, separated by commas.
    package init(addresses: AddressTemplate, license: String?, authors: String?) throws(ToolError) {
        guard addresses.isRemote else {
            throw ToolError(
                .configuration, "podspecs need addresses.",
                why: "A podspec contains the address of the sources.",
                fix: "Add --url \"https://github.com/acme/{name}.git\"")
        }
        let names = (authors ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        .filter { !$0.isEmpty }
        guard !names.isEmpty else {
            throw ToolError(
                .configuration, "podspecs need authors.",
                why: "CocoaPods refuses a podspec without authors.",
                fix: "Add --authors \"Ann Author, Bob Builder\"")
        }
        guard license?.allSatisfy(\.isWhitespace) != true else { throw Self.noLicense }
        (self.addresses, self.license, self.authors) = (addresses, license, names)
    }

    private static let noLicense = ToolError(
        .configuration, "podspecs need a licence.",
        why: "CocoaPods refuses a podspec without a licence.",
        fix: "Add a file LICENSE at the root, with the licence's name on its first line, or add "
            + "--license \"MIT\"")

    /// A package's first dependency from outside the tree. The dependency's pod is unknown, so the package gets no
    /// podspec.
    package static func foreign(to package: ExportedPackage) -> String? {
        package.source.manifest.dependencies.first { $0.path == nil }?.identity
    }

    /// The podspecs by file name, one for each library product.
    ///
    /// - Parameter source: The text of the exported manifest.
    func texts(
        of manifest: ExportedManifest, source: String, files: [String: Data]
    ) throws(ToolError) -> [String: String] {
        let package = manifest.package
        guard Self.foreign(to: package) == nil else { return [:] }
        let floors = try ExportedManifest.floors(in: source)
        let license = try license(of: package, files)
        guard let tools = source.prefixMatch(of: /\/\/\s*swift-tools-version:\s*(\d+)/) else {
            throw ToolError(
                .configuration, at: package.source.manifestPath,
                "this file does not begin with a tools version.",
                why: "A podspec contains the Swift version of the sources.",
                fix: "Begin it with: // swift-tools-version: 6.3")
        }
        let ruby = RubyLiteral.string
        let address = addresses.address(of: package.name)
        let page = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
        func text(of name: String, folder: String, requires: [(name: String, floor: SemanticVersion)])
            -> String
        {
            let dependencies = requires.map { "  s.dependency \(ruby($0.name)), \(ruby(">= \($0.floor)"))\n" }
            // The Swift version of a podspec is a language mode, which has only a major version: 6, not 6.3.
            return """
                Pod::Spec.new do |s|
                  s.name = \(ruby(name))
                  s.version = \(ruby("\(package.version)"))
                  s.summary = \(ruby("\(name), exported from a monorepo of Swift packages."))
                  s.homepage = \(ruby(page))
                  s.license = \(license)
                  s.authors = \(RubyLiteral.list(authors))
                  s.source = \(RubyLiteral.hash(["git": address, "tag": "\(package.version)"]))
                  s.source_files = \(ruby("\(folder)/**/*.swift"))
                  s.swift_version = \(ruby("\(tools.1).0"))
                \(Self.platforms(in: source))\(dependencies.joined())end

                """
        }
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
            texts[product.name + ".podspec"] = text(
                of: product.name, folder: String(target.folder.dropFirst(package.source.path.count + 1)),
                requires: names.sorted().map { ($0, floors[$0.lowercased()] ?? package.version) })
        }
        if let imp = package.imp {
            let name = ExportedPackage.withImp(package.name)
            texts[name + ".podspec"] = text(
                of: name, folder: "Sources/\(name)",
                requires: [
                    (imp.name, floors[imp.name.lowercased()] ?? imp.floor), (package.name, package.version),
                ])
        }
        return texts
    }

    /// Whether a file is the package's licence.
    static func isLicense(_ path: String) -> Bool { path.hasPrefix("LICENSE") && !path.contains("/") }

    /// The lines of a podspec that determine which code an app gets: name, version and dependencies. The
    /// other lines are metadata or follow from the manifest.
    @Sendable static func comparedLines(of text: String) -> String {
        text.split(separator: "\n").filter { $0.contains(/^\s*s\.(name|version|dependency)\b/) }.joined(
            separator: "\n")
    }

    /// The licence as a Ruby literal.
    private func license(of package: ExportedPackage, _ files: [String: Data]) throws(ToolError) -> String {
        let file = files.keys.sorted().first(where: Self.isLicense)
        let first = file.flatMap { files[$0] }.flatMap { data in
            String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).lazy
                .map { $0.drop { $0 == "#" || $0.isWhitespace } }.first { !$0.isEmpty }
        }
        guard let name = license ?? first.map(String.init) else { throw Self.noLicense }
        guard let file else { return RubyLiteral.hash(["type": name]) }
        return RubyLiteral.hash(["type": name, "file": file])
    }

    /// The podspec lines for a manifest's platforms, under CocoaPods' names.
    private static func platforms(in manifest: String) -> String {
        let names = [
            "macOS": "osx", "iOS": "ios", "tvOS": "tvos", "watchOS": "watchos", "visionOS": "visionos",
        ]
        return manifest.matches(of: /\.(\w+)\(\.v(\d+)(?:_(\d+))?\)/).compactMap { match in
            names[String(match.1)].map { name in
                let version = RubyLiteral.string("\(match.2).\(match.3 ?? "0")")
                return "  s.\(name).deployment_target = \(version)\n"
            }
        }.joined()
    }
}
