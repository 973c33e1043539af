import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("A document", .waitLimit)
struct DocumentTests {
    /// The two kinds of storage. They behave alike, except that only a folder keeps its documents after the storage is
    /// freed.
    enum Kind: CaseIterable {
        case folder, memory

        func storage(_ folder: TemporaryFolder) throws -> Storage {
            switch self {
            case .folder: try Storage(folder: folder.url)
            case .memory: Storage.inMemory()
            }
        }
    }

    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("A document has its default value until it is updated", arguments: Kind.allCases)
    func firstUse(kind: Kind) throws {
        let document = try kind.storage(folder).document("journeys", default: [Trip(to: "Airport")])
        #expect(document.value == [Trip(to: "Airport")])
        #expect(try folder.stored.isEmpty)
        try document.update { $0.append(Trip(to: "Zoo", price: 3)) }
        #expect(document.value == [Trip(to: "Airport"), Trip(to: "Zoo", price: 3)])
    }

    @Test("An update returns the result of its change", arguments: Kind.allCases)
    func result(kind: Kind) throws {
        let document = try kind.storage(folder).document("tickets", default: [1, 2, 3])
        #expect(try document.update { $0.removeLast() } == 3)
        #expect(document.value == [1, 2])
    }

    @Test("A document stays unchanged if the change throws", arguments: Kind.allCases)
    func refused(kind: Kind) throws {
        struct Refused: Error {}
        let document = try kind.storage(folder).document("tickets", default: [1])
        #expect(throws: Refused.self) {
            try document.update { tickets in
                tickets.append(2)
                throw Refused()
            }
        }
        #expect(document.value == [1])
        #expect(try folder.stored.isEmpty)
    }

    @Test("A document stays unchanged if JSON cannot represent its new value", arguments: Kind.allCases)
    func unencodable(kind: Kind) throws {
        let document = try kind.storage(folder).document("fare", default: 1.5)
        try document.update { $0 = 2.5 }
        let names = try folder.stored
        #expect(code { try document.update { $0 = .nan } } == .notWritten)
        #expect(document.value == 2.5)
        #expect(try folder.stored == names)
    }

    @Test("A read during an update returns the old value", arguments: Kind.allCases)
    func readingInside(kind: Kind) throws {
        let document = try kind.storage(folder).document("count", default: 0)
        try document.update { count in
            count = 1
            #expect(document.value == 0)
        }
        #expect(document.value == 1)
    }

    @Test("Opening a document again returns the same object", arguments: Kind.allCases)
    func identity(kind: Kind) throws {
        let storage = try kind.storage(folder)
        let one = try storage.document("count", version: 2, default: 0)
        #expect(try storage.document("count", version: 2, default: 9) === one)
        #expect(try storage.document("other", version: 2, default: 0) !== one)
    }

    @Test("An open document cannot be opened with another type or version", arguments: Kind.allCases)
    func conflict(kind: Kind) throws {
        let storage = try kind.storage(folder)
        let document = try storage.document("count", default: 0)
        #expect(code { _ = try storage.document("count", default: "") } == .conflict)
        #expect(code { _ = try storage.document("count", version: 2, default: 0) } == .conflict)
        #expect(try storage.document("count", default: 0) === document)
        let error = #expect(throws: StorageError.self) { try storage.document("count", default: "") }
        #expect(error?.description.contains("is open as Int, version 1, and was requested as String") == true)
    }

    @Test(
        "A name that file systems may treat differently is rejected",
        arguments: [
            "", "a/b", "/etc/passwd", "..", ".lock", "a.json", "Journeys", "fähre", "a b", "a\0", "a\\b",
        ]
            + [String(repeating: "a", count: 65)])
    func badNames(name: String) throws {
        for kind in Kind.allCases {
            #expect(code { _ = try kind.storage(folder).document(name, default: 0) } == .badName)
        }
        #expect(try folder.stored.isEmpty)
    }

    @Test(
        "A name of lower-case letters, digits and hyphens is accepted",
        arguments: ["a", "7", "ride-codes-2", String(repeating: "z", count: 64)])
    func goodNames(name: String) throws {
        try Storage(folder: folder.url).document(name, default: 0).update { $0 = 1 }
        #expect(try folder.stored == ["\(name).json"])
    }

    @Test("The value of a document may be nil", arguments: [nil, "token"])
    func optional(token: String?) throws {
        try Storage(folder: folder.url).document("token", default: "default").update { $0 = token }
        #expect(try Storage(folder: folder.url).document("token", default: "default").value == token)
    }

    @Test("Concurrent updates lose no changes, and readers see only values that are on disk")
    func concurrency() throws {
        do {
            let storage = try Storage(folder: folder.url)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                do {
                    let document = try storage.document("count", default: [Int]())
                    for round in 0..<25 {
                        if thread == 3 {
                            let before = document.value
                            let after = document.value
                            #expect(after.starts(with: before))
                        } else {
                            try document.update { $0.append(thread * 25 + round) }
                        }
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let kept = try Storage(folder: folder.url).document("count", default: [Int]()).value
        #expect(kept.sorted() == Array(0..<75))
    }
}
