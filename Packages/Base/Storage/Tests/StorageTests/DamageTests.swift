import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("A damaged file")
struct DamageTests {
    let folder: TemporaryFolder
    let storage: Storage
    /// The bytes of an intact file.
    let whole: Data

    init() throws {
        folder = try TemporaryFolder()
        storage = try Storage(folder: folder.url)
        try storage.document("written", default: [Trip]()).update {
            $0 = [Trip(to: "Zoo", price: 3), Trip(to: "Café \"A\"", price: 10)]
        }
        whole = try Data(contentsOf: folder.file("written.json"))
    }

    /// Decodes these bytes. Returns the error's code, or nil after decoding the original value.
    private func opened(_ data: Data) throws -> StorageError.Code? {
        let form = DocumentForm(name: "written", version: 1, path: "written.json")
        return code {
            let trips: [Trip] = try form.value(in: data, migrations: [])
            #expect(trips == [Trip(to: "Zoo", price: 3), Trip(to: "Café \"A\"", price: 10)])
        }
    }

    @Test("An undamaged file decodes, so the failures in the other tests come from the damage")
    func undamaged() throws {
        #expect(try opened(whole) == nil)
    }

    @Test("A file that is truncated at any length is rejected")
    func truncated() throws {
        for length in 0..<whole.count {
            let code = try #require(try opened(whole.prefix(length)))
            #expect([.torn, .damaged].contains(code), "truncated to \(length)")
        }
    }

    @Test(
        "A file with a single changed byte is rejected",
        arguments: [0x01, 0x02, 0x04, 0x10, 0x20, 0x80, 0xff] as [UInt8])
    func oneByte(change: UInt8) throws {
        var codes: Set<StorageError.Code> = []
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= change
            codes.insert(try #require(try opened(damaged), "byte \(index)"))
        }
        #expect(codes.isSubset(of: [.torn, .foreign, .damaged]))
    }

    @Test("A file with a missing, duplicated or added byte is rejected")
    func otherLength() throws {
        for index in whole.indices {
            #expect(try opened(whole[..<index] + whole[(index + 1)...]) != nil, "without byte \(index)")
            #expect(try opened(whole[...index] + whole[index...]) != nil, "byte \(index) twice")
            #expect(
                try opened(whole[..<index] + Data(" ".utf8) + whole[index...]) != nil, "a space at \(index)")
        }
        for more in ["\n", "\0", "}", "{}"] { #expect(try opened(whole + Data(more.utf8)) != nil) }
    }

    @Test("A file of random bytes or of deeply nested JSON is rejected", arguments: 0..<200 as Range<UInt64>)
    func noise(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let alphabet = Array(#"{}[]":,0123456789.e-truefalsn\u"checksum""document""value""version""#.utf8)
        let bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
            seed.isMultiple(of: 2)
                ? UInt8.random(in: .min ... .max, using: &random)
                : alphabet.randomElement(using: &random) ?? 0
        }
        #expect(try opened(Data(bytes)) != nil)
        #expect(try opened(Data(repeating: UInt8(ascii: "["), count: Int(seed) * 1_000)) != nil)
    }
}
