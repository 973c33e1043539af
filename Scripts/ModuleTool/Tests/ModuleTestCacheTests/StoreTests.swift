import Dispatch
import Foundation
import ModuleFixtures
import Synchronization
import Testing

@testable import ModuleTestCache

@Suite("Records of passed tests")
struct StoreTests {
    private let record = PassedTests(key: "k1", target: "RideTests", tests: 12, seconds: 0.5)
    private let tree: TemporaryTree

    init() throws { tree = try TemporaryTree() }

    private func store(_ warn: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") })
        -> FolderStore
    {
        FolderStore(tree.root + "/store", warning: FirstWarning(warn))
    }

    @Test("A stored record is found by its key alone")
    func roundTrip() throws {
        #expect(store().record(of: "k1") == nil)
        store().save(record)
        #expect(store().record(of: "k1") == record)
        #expect(store().record(of: "k2") == nil)
    }

    @Test("The path of a store may have spaces and percent signs")
    func path() throws {
        let store = FolderStore(
            tree.root + "/my store 100%20", warning: FirstWarning { Issue.record("\($0)") })
        store.save(record)
        #expect(store.record(of: "k1") == record)
        #expect(try tree.names(in: "my store 100%20/ac") == ["k1"])
    }

    @Test("A record may lie among the fields that a server adds")
    func otherFields() throws {
        let data = try record.encoded
        #expect(PassedTests(data, of: "k1") == record)
        #expect(
            PassedTests(Data([0x20, 0x81, 0x01, 0x4A, 2, 1, 2, 0x0D, 1, 2, 3, 4]) + data, of: "k1") == record)
        #expect(PassedTests(data + Data([0x4A, 2, 1, 2]), of: "k1") == record)
    }

    @Test("A record is the field 5 of a message, with its length", arguments: [1, 200, 400])
    func field(length: Int) throws {
        let target = String(repeating: "T", count: length)
        let data = try PassedTests(key: "k1", target: target, tests: 12, seconds: 0.5).encoded
        // The number of the field and its type, and the length in two bytes of seven bits.
        #expect(data[0] == 0x2A && data[1] >= 0x80 && data[2] < 0x80)
        #expect(Int(data[1] & 0x7F) | Int(data[2]) << 7 == data.count - 3)
    }

    @Test("Anything but a whole record of the key is a miss")
    func rubbish() throws {
        let data = try record.encoded
        #expect(PassedTests(data, of: "k2") == nil)
        for length in 0..<data.count { #expect(PassedTests(data.prefix(length), of: "k1") == nil) }
        let other = Data("<html>404</html>".utf8)
        for rubbish in [
            Data(), other, Data(repeating: 0xFF, count: 99), Data([0x2A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        ] {
            try tree.write("store/ac/k1", "")
            try rubbish.write(to: URL(filePath: tree.root + "/store/ac/k1"))
            #expect(store().record(of: "k1") == nil)
        }
        store().save(record)
        #expect(store().record(of: "k1") == record)
    }

    @Test("A record of no tests withdraws an earlier one")
    func withdrawn() {
        store().save(record)
        store().save(PassedTests(key: "k1", target: "RideTests", tests: 0, seconds: 0))
        #expect(store().record(of: "k1")?.isWithdrawn == true)
    }

    @Test("Writers of one record never disturb readers")
    func concurrent() throws {
        func fileNumber() throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: tree.root + "/store/ac/k1")
            return attributes[.systemFileNumber] as? Int
        }
        store().save(record)
        // A record is never written over: a new file takes the place of the old one.
        let before = try fileNumber()
        store().save(record)
        #expect(try fileNumber() != before)
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            if index.isMultiple(of: 2) {
                store().save(record)
            } else {
                #expect(store().record(of: "k1") == record)
            }
        }
    }

    @Test("A store that cannot be written gives a warning, and misses")
    func unwritable() throws {
        try tree.write("store", "a file")
        let warnings = Mutex<[String]>([])
        let store = store { text in warnings.withLock { $0.append(text) } }
        for _ in 1...2 { store.save(record) }
        #expect(warnings.withLock { $0.count } == 1)
        #expect(store.record(of: "k1") == nil)
    }
}
