import Foundation
import TestSupport
import Testing

@testable import Storage

/// `KeychainSecrets` is not tested, because the Keychain needs an entitlement that a test process does not have.
@Suite("Secrets")
struct SecretsTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private var subfolder: URL { folder.file("secrets") }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test(
        "In files and in memory, a secret keeps its value until it is replaced or removed",
        arguments: [true, false])
    func kept(inFiles: Bool) throws {
        let secrets: any Secrets = inFiles ? FileSecrets(folder: subfolder) : InMemorySecrets()
        #expect(try secrets.secret("token") == nil)
        try secrets.setSecret(nil, name: "token")
        try secrets.setSecret(Data([1, 0, 2]), name: "token")
        try secrets.setSecret(Data(), name: "empty")
        #expect(try secrets.secret("token") == Data([1, 0, 2]))
        #expect(try secrets.secret("empty") == Data())
        try secrets.setSecret(Data([3]), name: "token")
        #expect(try secrets.secret("token") == Data([3]))
        try secrets.setSecret(nil, name: "token")
        #expect(try secrets.secret("token") == nil)
        for name in ["", "../token", "Token"] {
            #expect(code { _ = try secrets.secret(name) } == .badName)
            #expect(code { try secrets.setSecret(Data(), name: name) } == .badName)
        }
    }

    @Test("Only this user can access the secrets' folder and files, even if others could before")
    func permissions() throws {
        try FileManager.default.createDirectory(
            at: subfolder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        try folder.write("left over", to: "secrets/token.secret.writing")
        let secrets = FileSecrets(folder: subfolder)
        try secrets.setSecret(Data([1]), name: "token")
        #expect(try mode(subfolder) == 0o700)
        #expect(try mode(subfolder.appending(path: "token.secret")) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: subfolder.path) == ["token.secret"])
    }

    @Test("Removing a secret also removes an interrupted change's leftover file", arguments: [true, false])
    func leftover(hasSecret: Bool) throws {
        let secrets = FileSecrets(folder: subfolder)
        try secrets.setSecret(Data([1]), name: "other")
        if hasSecret { try secrets.setSecret(Data([1]), name: "token") }
        try folder.write("left over", to: "secrets/token.secret.writing")
        try secrets.setSecret(nil, name: "token")
        #expect(try FileManager.default.contentsOfDirectory(atPath: subfolder.path) == ["other.secret"])
    }

    @Test("A secret that cannot be read or written is reported with its path")
    func failures() throws {
        try FileManager.default.createDirectory(
            at: subfolder.appending(path: "token.secret"), withIntermediateDirectories: true)
        let secrets = FileSecrets(folder: subfolder)
        #expect(code { _ = try secrets.secret("token") } == .unreadable)
        let error = #expect(throws: StorageError.self) { try secrets.setSecret(Data([1]), name: "token") }
        #expect(error?.code == .notWritten)
        #expect(error?.path == subfolder.appending(path: "token.secret").path)
        #expect(code { try secrets.setSecret(nil, name: "token") } == .notWritten)
    }

    @Test("A storage keeps its secrets in the store that the app passes")
    func ofTheApp() throws {
        let own = InMemorySecrets()
        try Storage(folder: folder.url, secrets: own).secrets.setSecret(Data([1]), name: "token")
        #expect(try own.secret("token") == Data([1]))
        try Storage.inMemory().secrets.setSecret(Data([2]), name: "token")
        #expect(try own.secret("token") == Data([1]))
    }

    #if !canImport(Security)
    @Test("A storage keeps its secrets in a subfolder, separate from the documents")
    func apart() throws {
        try Storage(folder: folder.url).secrets.setSecret(Data("t".utf8), name: "token")
        #expect(try folder.stored == ["secrets"])
        #expect(try mode(subfolder) == 0o700)
        #expect(try Storage(folder: folder.url).secrets.secret("token") == Data("t".utf8))
    }
    #endif
}
