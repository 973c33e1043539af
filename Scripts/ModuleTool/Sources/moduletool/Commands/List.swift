import ArgumentParser
import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Lists the packages of the tree, with layers, versions and target counts.",
        discussion: """
            --format json also lists the pairs, the layers and the targets. Versions come from VERSIONS.md.

            Examples:
              modules list
              modules list --format json | jq '.pairs[].name'
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(help: "text or json.")
    var format = Format.text

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let tree = try self.tree.read(isLenient: true)
        let file = tree.names.versions == .table ? tree.contents(of: VersionsFile.path) : nil
        let table = file.map { VersionsFile(String(decoding: $0, as: UTF8.self)) }
        let document = Document(tree, table)
        if format == .text { return print(document.text, terminator: "") }
        print(try document.prettyJSON(), terminator: "")
    }

    private struct Document: Encodable {
        struct Package: Encodable {
            let name, path, kind: String
            let layer, pair, version: String?
            let targets: [Target]
        }
        struct Target: Encodable {
            let name, kind: String
            let files: Int
        }
        struct Pair: Encodable {
            let name, api, version, floor: String
        }

        let name: String
        /// The names of the layers, from bottom to top.
        let layers: [String]
        let packages: [Package]
        let pairs: [Pair]

        init(_ tree: Tree, _ table: VersionsFile?) {
            name = tree.name
            layers = tree.configuration?.layers.map(\.name) ?? []
            packages = tree.packages.map { package in
                let row = table?.row(of: package.pairName)
                let version =
                    switch package.role {
                    case .api: row?.api.version
                    case .imp: row?.imp
                    default: table?.library(package.name)?.version
                    }
                let isHalf = package.role == .api || package.role == .imp
                return Package(
                    name: package.name, path: package.path.isEmpty ? "." : package.path,
                    kind: package.role.kind, layer: package.layer?.name,
                    pair: isHalf ? package.pairName : nil, version: version?.description,
                    targets: package.targets.map {
                        Target(name: $0.name, kind: $0.kind.rawValue, files: $0.files.count)
                    })
            }
            pairs = (table?.rows ?? []).map { row in
                Pair(
                    name: row.module, api: row.api.description, version: row.imp.description,
                    floor: row.floor.description)
            }
        }

        /// One line for each package, the top layer first. Columns without any content are left out.
        var text: String {
            let ranks = Dictionary(zip(layers, layers.indices)) { first, _ in first }
            func rank(_ package: Package) -> Int { package.layer.flatMap { ranks[$0] } ?? -1 }
            let sorted = packages.sorted { (-rank($0), $0.path) < (-rank($1), $1.path) }
            let rows = sorted.map { package in
                return [
                    package.layer ?? "", package.kind, package.name, package.version ?? "",
                    Spelling.count(package.targets.count, "target"), package.path,
                ]
            }
            let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
            return rows.map { row in
                zip(row, widths).filter { $0.1 > 0 }.map { cell, width in
                    cell + String(repeating: " ", count: width - cell.count) + "  "
                }.joined() + row[5] + "\n"
            }.joined()
        }
    }
}

extension PackageRole {
    /// The name of the role in the list. A package outside the layers is listed as "package".
    fileprivate var kind: String {
        switch self {
        case .api, .imp, .facade, .app: rawValue
        case .plain: "library"
        case .other: "package"
        }
    }
}
