import ModuleFixtures
import ModuleKit
import Testing

@Suite("Callers that the compiler judges")
struct CallerDeepTests {
    @Test("The table of changes states what the compiler says", arguments: CallerChange.rows)
    func compiles(_ row: CallerChange) throws {
        let folder = try TemporaryTree(["Caller.swift": "import Api\n\(row.caller)\n"])
        func compiles(_ code: String) throws -> Bool {
            try folder.write("Api.swift", code + "\n")
            let options = ["-swift-version", "6", "-parse-as-library"]
            _ = try folder.run(
                ["swiftc"] + options + [
                    "-emit-module", "-module-name", "Api", "-o", "Api.swiftmodule", "Api.swift",
                ])
            let caller = ["swiftc"] + options + ["-typecheck", "-I", ".", "Caller.swift"]
            return try Command.run(caller, in: folder.root).status == 0
        }
        #expect(try compiles(row.old), "the caller does not compile with the old declarations")
        #expect(try compiles(row.new) == !row.isBreak)
    }
}
