import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

@Suite("The configuration of a tree")
struct ConfigurationTests {
    @Test(
        "A configuration without keys has the default values, which are this repository's",
        arguments: ["", "# Nothing.\n", "\u{FEFF}", "---\n...\n"])
    func empty(_ yaml: String) throws { #expect(try Configuration(yaml: yaml) == Configuration()) }

    @Test("The layers and names of another repository replace all defaults")
    func other() throws {
        let read = try Configuration(
            yaml: """
                api-suffix: Interface
                layers:
                  - name: Kit
                    folders: [Kit/, ./Tools//Shared]
                  - {name: Contracts, pairs: apis}
                  - name: Features
                    folders: [Features]
                    pairs: required
                    allow: [third-party]
                    deny: [{use: UIKit, reason: Features have no screens.}]
                  - {name: Products, apps: true}
                deny:
                  - use: third-party
                    reason: >
                      Nobody
                      maintains them.
                test-support: [Mocks]
                apps:
                  - registrations: Sources/App/Modules.swift
                uses:
                  Lifecycle: {url: "https://example.com/Lifecycle", from: 1.2.0}
                new-packages:
                  tools-version: 6.10
                  platforms: {iOS: 17.4}
                exclude: [Old, Vendor/Copies]
                """)
        var wanted = Configuration()
        wanted.apiSuffix = "Interface"
        wanted.layers = [
            Layer("Kit", folders: ["Kit", "Tools/Shared"]), Layer("Contracts", pairs: .apis, rank: 1),
            Layer(
                "Features", folders: ["Features"], pairs: .required, allow: ["third-party"],
                deny: [.init("UIKit", reason: "Features have no screens.")], rank: 2),
            Layer("Products", isApps: true, rank: 3),
        ]
        wanted.deny = [.init("third-party", reason: "Nobody maintains them.")]
        wanted.testSupport = ["Mocks"]
        wanted.apps = [.init(registrations: "Sources/App/Modules.swift")]
        wanted.uses["Lifecycle"] = .url("https://example.com/Lifecycle", from: "1.2.0")
        wanted.newPackages = .init(toolsVersion: "6.10", platforms: ["iOS": "17.4"])
        wanted.exclude = ["Old", "Vendor/Copies"]
        #expect(read == wanted)
    }

    /// The place of a mistake, what the error says, and the file.
    private static let mistakes = #"""
        1:1 | 'layer' is not a key of the file ... Choose layers. | layer: []
        3:3 | Choose api-suffix. | \n\n  apiSuffix: Api
        1:1 | a list or a mapping is not a key | [a]: 1
        1:1 | '12' is not a key | 12: 1
        1:1 | the file is a list or a mapping, but must be keys | - a
        1:1 | the file is 'Api' | Api
        1:10 | exclude is 'Old', but must be a list | exclude: Old
        1:9 | exclude is empty | exclude:
        1:11 | exclude is a list or a mapping, but must be the path | exclude: [[Old]]
        1:11 | the path of a file or folder below the root | exclude: [../Other]
        1:11 | the path of a file or folder below the root | exclude: ['P/*']
        1:11 | the path of a file or folder below the root | exclude: [/Other]
        1:11 | the path of a file or folder below the root | exclude: [.]
        1:11 | the path of a file or folder below the root | exclude: [~]
        1:13 | a name of letters and digits | api-suffix: [Api]
        1:13 | a name of letters and digits | api-suffix: -api
        1:13 | api-suffix is empty | api-suffix: ''
        2:20 | duplicate keys: path | exclude: []\nuses: {ApiCenter: {path: A, path: B}}
        1:10 | an element of layers is missing the key name | layers: [{folders: [A]}]
        1:17 | the layer A has no folders | layers: [{name: A}]
        1:20 | Choose folders. | layers: [{name: A, folder: [A]}]
        1:42 | two layers named a | layers: [{name: A, folders: [A]}, {name: a, folders: [B]}]
        1:57 | P/Q is a folder of the layer A too | layers: [{name: A, folders: [P/Q]}, {name: B, folders: [P//Q]}]
        1:33 | P is a folder of the layer A too | layers: [{name: A, folders: [P, P]}]
        1:27 | one of none, apis, optional, required | layers: [{name: A, pairs: always}]
        1:17 | cannot have folders | layers: [{name: A, pairs: apis, folders: [A]}]
        1:34 | only one layer may hold the Apis | layers: [{name: A, pairs: apis}, {name: B, pairs: apis}]
        1:33 | only one layer may hold the apps | layers: [{name: A, apps: true}, {name: B, apps: true}]
        1:26 | true or false | layers: [{name: A, apps: yes}]
        1:10 | a layer of apps cannot have pairs | layers: [{name: A, apps: true, pairs: required}]
        1:8 | an element of deny is missing the key reason | deny: [{use: third-party}]
        1:42 | no entry of `deny` | layers: [{name: A, folders: [A], allow: [third-party]}]
        1:41 | deny is 'third-party' | layers: [{name: A, folders: [A], deny: [third-party]}]
        1:18 | every Api may import Foundation | api-imports: [A, Foundation]
        1:18 | A is listed twice ... Remove one | api-imports: [A, A]
        1:15 | a name of letters and digits | api-imports: [A/B]
        1:14 | api-imports is 'A', but must be a list | api-imports: A
        1:16 | test-support is a list or a mapping, but must be | test-support: [[]]
        1:8 | an element of apps is missing the key registrations | apps: [{manifest: Package.swift}]
        1:7 | apps is a list or a mapping, but must be a list | apps: {registrations: A.swift}
        1:8 | Choose ApiCenter. | uses: {ApiCentre: {path: A}}
        1:19 | either path, or url and from | uses: {ApiCenter: {path: A, url: B}}
        1:34 | a version, such as 1.2.0 | uses: {ApiCenter: {url: B, from: 1.x}}
        1:28 | Choose iOS. | new-packages: {platforms: {ios: 17}}
        1:31 | a version, such as 6.3 | new-packages: {tools-version: 6}
        1:9 | an element of reads is missing the key targets | reads: [{files: [A]}]
        1:19 | targets is 'A', but must be a list | reads: [{targets: A}]
        1:32 | the path of a file or folder below | reads: [{targets: [A], files: [../B]}]
        1:16 | rule is empty | rules: [{rule: '', severity: off, reason: A}]
        1:9 | an element of rules is missing the key reason | rules: [{rule: a, severity: off}]
        1:29 | severity is 'error', but must be one of off, warning | rules: [{rule: a, severity: error, reason: A}]
        3:5 | a is listed twice | rules:\n  - {rule: a, severity: off, reason: A}\n  - {rule: a, severity: off, reason: A}
        1:17 | releases-after is a list or a mapping, but must | releases-after: [v1]
        2:1 | is not YAML: did not find expected node content | layers: [
        1:1 | is not YAML ... indents with spaces | \tlayers: []
        1:4 | is not YAML: found undefined alias | a: *b
        2:1 | is not YAML | ---\n---
        """#.split(separator: "\n").map { $0.split(separator: " | ", maxSplits: 2).map(String.init) }

    @Test("A mistake in the configuration is reported with a line, a column and a fix", arguments: mistakes)
    func mistake(_ row: [String]) throws {
        let yaml = row[2].replacing("\\n", with: "\n").replacing("\\t", with: "\t") + "\n"
        let found = try #require(throws: Diagnostic.self) { try Configuration(yaml: yaml) }
        #expect(found.kind == .configuration && found.isInForm && !found.why.isEmpty)
        #expect(found.place.description == ".modules.yml:" + row[0])
        for part in row[1].split(separator: " ... ") { #expect("\(found)".contains(part)) }
    }

    @Test("A package belongs to the layer whose folder contains it most closely", arguments: [true, false])
    func nested(isOuterFirst: Bool) throws {
        let outer = "{name: Features, folders: [Packages], pairs: optional}"
        let layers = [outer, "{name: Models, folders: [Packages/Models, Packages/Kit]}"]
        let yaml = "layers: [\((isOuterFirst ? layers : layers.reversed()).joined(separator: ", "))]"
        let configuration = try Configuration(yaml: yaml)
        for (path, layer) in [
            ("Packages/Models", "Models"), ("Packages/Kit/Parts", "Models"),
            ("Packages/ModelsApi", "Features"),
            ("Packages/Player", "Features"),
        ] {
            #expect(configuration.layer(of: path)?.name == layer)
        }
        #expect(configuration.layer(of: "Other") == nil)
    }

    @Test("The examples in Configuration.md are valid, and the first one states all defaults")
    func examples() throws {
        let text = try HouseFiles.text("Scripts/ModuleTool/Configuration.md")
        let examples = text.matches(of: /```yaml\n((?s:.*?))```/).map { String($0.1) }
        #expect(try examples.map { try Configuration(yaml: $0) }.first == Configuration())
        // Every key that an error suggests is documented.
        let error = #expect(throws: Diagnostic.self) { try Configuration(yaml: "?: 1") }
        let keys = try #require(error).fix.split(separator: ": ")[1].dropLast().split(separator: ", ")
        let documented = examples.map { "\n" + $0 }.joined()
        #expect(keys.count > 5 && keys.allSatisfy { documented.contains("\n\($0):") })
        // Apart from its history and what its tests read, this repository is the default: no rule is off or a warning, and
        // its Apis import Foundation alone.
        var house = try #require(try Configuration(root: HouseFiles.root.path))
        #expect(house.releasesAfter?.count == 40)
        #expect(
            house.reads.contains {
                $0.targets == ["APIServiceTests"] && $0.files == ["Packages/Seeds.md"] && $0.maySkip
            })
        (house.releasesAfter, house.reads) = (nil, [])
        #expect(house == Configuration())
    }

    @Test("A tree without .modules.yml has no layers and no roles, whatever its folders are called")
    func withoutFile() throws {
        let tree = try SmallTree.make()
        try tree.remove(".modules.yml")
        let read = try TreeReader(root: tree.root).read()
        #expect(read.configuration == nil)
        #expect(read.packages.allSatisfy { $0.layer == nil && $0.role == .other })
    }

    @Test("An unreadable .modules.yml is an error; the tree is not treated as one without a configuration")
    func unreadable() throws {
        let tree = try SmallTree.make()
        let path = tree.root + "/.modules.yml"
        func expectError(_ part: String) {
            let error = #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
            #expect(error.map { "\($0)".hasPrefix(".modules.yml: \(part)") } == true, "\(error as Any)")
        }
        try Data([0x61, 0xFF]).write(to: URL(filePath: path))
        expectError("is not UTF-8 text")
        try tree.write(".modules.yml", String(repeating: "#\n", count: 1 << 16))
        expectError("is larger than 64 KB")
        try tree.remove(".modules.yml")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        expectError("cannot be read")
        try tree.remove(".modules.yml")
        try tree.write(".modules.yml/file", "")
        expectError("cannot be read")
        try tree.remove(".modules.yml")
        try tree.write(".modules.yaml", "")
        let error = #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
        #expect(error?.fix == "Run: git mv .modules.yaml .modules.yml")
    }

    @Test("The files and packages of excluded folders are left out")
    func excluded() throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Old/Broken/Package.swift", "this is no manifest\n")
        try tree.write(".modules.yml", "exclude: [Packages/Old, Packages/Business/Ride/Tests]\n")
        let read = try TreeReader(root: tree.root).read()
        #expect(!read.packages.contains { $0.path.hasPrefix("Packages/Old") })
        #expect(read.package("Ride")?.targets.map(\.files.count) == [1, 0])
    }

    @Test(
        "Every path in the configuration must exist, except registrations and the folders of layers with pairs"
    )
    func paths() throws {
        let layers =
            "layers: [{name: Base, folders: [Base]}, {name: Pairs, folders: [Pairs], pairs: required}]\n"
        let text =
            layers + "apps: [{manifest: App/Package.swift, registrations: Lists/List.swift, packages: App}]\n"
            + "exclude: [Old]\nuses: {ApiCenter: {path: Center}, Lifecycle: {path: Life}}\n"
        let existing: Set = ["Base", "App/Package.swift", "Lists", "App", "Old", "Center", "Life"]
        _ = try Configuration(yaml: text, exists: existing.contains)
        for missing in existing {
            let error = #expect(throws: Diagnostic.self) {
                try Configuration(yaml: text) { $0 != missing && existing.contains($0) }
            }
            #expect(
                error?.what == "\(missing) does not exist" && error?.place.description.contains(":") == true)
        }
    }

    @Test("The packages of Core and Base, and the build plugin, are not third-party packages")
    func own() throws {
        let base = try FileManager.default.contentsOfDirectory(
            atPath: HouseFiles.root.appending(path: "Packages/Base").path)
        let packages = base.filter { !$0.hasPrefix(".") }.map { $0.lowercased() }
        #expect(Denial.own == Set(packages + ["apicenter", "modulecheck"]))
    }
}
