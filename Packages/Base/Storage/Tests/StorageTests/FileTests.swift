import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("A document's file")
struct FileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("A document's file is one line of JSON with sorted keys, a checksum, the name and the version")
    func form() throws {
        try Storage(folder: folder.url).document("journeys", version: 2, default: [Trip]())
            .update { $0.append(Trip(to: "Zoo/Park", price: 3)) }
        #expect(
            try folder.text("journeys.json") == """
                {"checksum":"fnv1a64-54e26c344fbbd453","document":"journeys","value":[{"price":3,"to":"Zoo/Park"}],"version":2}

                """)
    }

    @Test("Equal values produce identical files")
    func stable() throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", $0) })
        let document = try Storage(folder: folder.url).document("prices", default: values)
        try document.update { _ in }
        let first = try folder.text("prices.json")
        try document.update { $0 = Dictionary(uniqueKeysWithValues: values.shuffled()) }
        #expect(try folder.text("prices.json") == first)
    }

    @Test("A document has its last value after a restart")
    func nextStart() throws {
        try Storage(folder: folder.url).document("journeys", default: [Trip]())
            .update { $0 = [Trip(to: "Zoo", price: 3), Trip(to: "🚇 \u{0} \"}")] }
        #expect(
            try Storage(folder: folder.url).document("journeys", default: [Trip]()).value
                == [Trip(to: "Zoo", price: 3), Trip(to: "🚇 \u{0} \"}")])
    }

    @Test("Only this user can access a document's file, and no temporary file remains beside it")
    func permissions() throws {
        let new = folder.file("a").appendingPathComponent("b")
        try Storage(folder: new).document("journeys", default: 0).update { $0 = 1 }
        for (path, permissions) in [(new.path, 0o700), (new.path + "/journeys.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == permissions)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: new.path).sorted() == [
                ".lock", "journeys.json",
            ])
    }

    @Test("A file of an older version is migrated in memory, and rewritten by the next update")
    func migration() throws {
        try Storage(folder: folder.url).document("journeys", version: 1, default: [String]())
            .update { $0 = ["Zoo"] }
        let old = try folder.text("journeys.json")

        let storage = try Storage(folder: folder.url)
        let journeys = try storage.document(
            "journeys", version: 3, default: [Trip](),
            migrations: [
                Migration(from: 1) { (stations: [String]) in stations.map { Trip(to: $0) } },
                Migration(from: 2) { (count: Int) in Array(repeating: Trip(to: ""), count: count) },
            ])
        #expect(journeys.value == [Trip(to: "Zoo")])
        #expect(try folder.text("journeys.json") == old)
        try journeys.update { $0[0].price = 3 }
        #expect(
            try folder.text("journeys.json").hasSuffix(
                #","value":[{"price":3,"to":"Zoo"}],"version":3}"# + "\n"))
    }
}

@Suite("A file that the app cannot read")
struct BadFileTests {
    /// How the file is created, and the expected error code.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: StorageError.Code
        let write: @Sendable (TemporaryFolder) throws -> Void

        init(
            _ text: String, _ code: StorageError.Code,
            _ write: @escaping @Sendable (TemporaryFolder) throws -> Void
        ) {
            (testDescription, self.code, self.write) = (text, code, write)
        }
    }

    static let cases =
        ["", "{", "no JSON", #"{"checksum":"fnv1a64-a0ffa18a75226a19","docum"#].map { text in
            Case("\(text.debugDescription)", .torn) { try $0.write(text, to: "journeys.json") }
        }
        + ["{}", "[]", "null", "7", #"{"document":"journeys","value":[],"version":2}"#].map { text in
            Case("\(text)", .foreign) { try $0.write(text, to: "journeys.json") }
        } + [
            Case("of another document", .foreign) { folder in
                try written("tickets", 2, [Trip](), folder)
                try FileManager.default.moveItem(
                    at: folder.file("tickets.json"), to: folder.file("journeys.json"))
            },
            Case("edited by hand", .damaged) { folder in
                try written("journeys", 2, [Trip(to: "Zoo", price: 3)], folder)
                let text = try folder.text("journeys.json")
                try folder.write(text.replacingOccurrences(of: ":3,", with: ":4,"), to: "journeys.json")
            },
            Case("of a newer version", .newer) { try written("journeys", 3, [Trip](), $0) },
            Case("of an older version without a migration", .noMigration) {
                try written("journeys", 1, [Trip](), $0)
            },
            Case("of this version with another type", .unfit) { try written("journeys", 2, ["Zoo"], $0) },
        ]

    static func written(
        _ name: String, _ version: Int, _ value: some Codable & Sendable, _ folder: TemporaryFolder
    ) throws {
        try Storage(folder: folder.url).document(name, version: version, default: value).update { _ in }
    }

    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A file that cannot be read is left in place, and the error contains a reason and a fix",
        arguments: cases)
    func refused(bad: Case) throws {
        try bad.write(folder)
        let before = try Data(contentsOf: folder.file("journeys.json"))
        let storage = try Storage(folder: folder.url)
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) {
                try storage.document("journeys", version: 2, default: [Trip]())
            }
            #expect(error?.code == bad.code)
            #expect(error?.path == folder.file("journeys.json").path)
            #expect(error?.description.hasPrefix("\(folder.file("journeys.json").path): th") == true)
            #expect(error?.description.contains("unreadable: .setAside") == true)
        }
        #expect(try Data(contentsOf: folder.file("journeys.json")) == before)
        #expect(try folder.stored == ["journeys.json"])
        #expect(storage.setAside.isEmpty)
    }

    @Test(
        "A file that cannot be read is set aside on request, and its document gets the default",
        arguments: cases)
    func setAside(bad: Case) throws {
        try bad.write(folder)
        let before = try Data(contentsOf: folder.file("journeys.json"))
        let storage = try Storage(folder: folder.url, unreadable: .setAside)
        let journeys = try storage.document("journeys", version: 2, default: [Trip(to: "Default")])
        #expect(journeys.value == [Trip(to: "Default")])
        #expect(storage.setAside.map(\.file.lastPathComponent) == ["journeys.json.unreadable-1"])
        #expect(storage.setAside.map(\.reason.code) == [bad.code])
        try journeys.update { $0 = [] }
        #expect(try folder.stored == ["journeys.json", "journeys.json.unreadable-1"])
        #expect(try Data(contentsOf: folder.file("journeys.json.unreadable-1")) == before)
    }

    @Test("Setting a file aside replaces neither another file nor a dangling link")
    func free() throws {
        try folder.write("first", to: "journeys.json.unreadable-1")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("journeys.json.unreadable-2").path, withDestinationPath: "nowhere")
        try folder.write("second", to: "journeys.json")
        let storage = try Storage(folder: folder.url, unreadable: .setAside)
        _ = try storage.document("journeys", default: 0)
        #expect(storage.setAside.map(\.file.lastPathComponent) == ["journeys.json.unreadable-3"])
        #expect(try folder.text("journeys.json.unreadable-1") == "first")
        #expect(try folder.text("journeys.json.unreadable-3") == "second")
    }

    @Test("A file whose migration fails is rejected until the migration is fixed")
    func failingMigration() throws {
        struct Refused: Error {}
        try Self.written("journeys", 1, "Zoo", folder)
        let storage = try Storage(folder: folder.url)
        #expect(
            code {
                _ = try storage.document(
                    "journeys", version: 2, default: 0,
                    migrations: [Migration(from: 1) { (_: String) in throw Refused() }])
            } == .unfit)
        // With a migration that works, the file opens in the same process.
        #expect(
            try storage.document(
                "journeys", version: 2, default: 0,
                migrations: [Migration(from: 1) { (name: String) in name.count }]
            ).value == 3)
    }

    @Test("A file whose bytes the system cannot read is never set aside, because the cause may be temporary")
    func unreadable() throws {
        try FileManager.default.createDirectory(
            at: folder.file("journeys.json"), withIntermediateDirectories: false)
        for unreadable in [Storage.Unreadable.refuse, .setAside] {
            let storage = try Storage(folder: folder.url, unreadable: unreadable)
            #expect(code { _ = try storage.document("journeys", default: 0) } == .unreadable)
        }
        #expect(try folder.stored == ["journeys.json"])
    }
}
