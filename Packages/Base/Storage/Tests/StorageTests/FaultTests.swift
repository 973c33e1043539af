import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Storage when system calls fail", .waitLimit)
struct FaultTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("An update on a full disk changes nothing, and updates succeed again once there is space")
    func fullDisk() throws {
        let files = FaultyFiles()
        let document = try Storage(files: files, unreadable: .refuse).document("count", default: 0)
        try document.update { $0 = 1 }
        let kept = files.read("count")
        files.fill(true)
        #expect(code { try document.update { $0 = 2 } } == .notWritten)
        #expect(document.value == 1)
        #expect(files.read("count") == kept)
        files.fill(false)
        #expect(
            try document.update {
                $0 += 1; return $0
            } == 2)
    }

    @Test("A flush that a signal interrupts is repeated, and any other failure ends it")
    func interrupted() {
        var codes = [EINTR, EINTR, EIO, EINTR]
        func call() -> CInt {
            errno = codes.removeFirst()
            return -1
        }
        #expect(DiskFlush.repeated(call) == EIO)
        #expect(codes == [EINTR])
        #expect(DiskFlush.repeated { 0 } == 0)
    }

    @Test("The failure of a file's protection has the code of the system call behind it")
    func protection() {
        func code(_ domain: String) -> CInt {
            let cause = NSError(domain: domain, code: Int(EPERM))
            return FileProtection.code(
                of: NSError(domain: NSCocoaErrorDomain, code: 513, userInfo: [NSUnderlyingErrorKey: cause]))
        }
        #expect(code(NSPOSIXErrorDomain) == EPERM)
        #expect(code(NSCocoaErrorDomain) == EIO)
        #expect(FileProtection.code(of: NSError(domain: NSCocoaErrorDomain, code: 513)) == EIO)
    }

    @Test("If the value cannot be written, update(orThrow:) throws the caller's own error with the reason")
    func ownError() throws {
        enum Own: Error, Equatable {
            case notSaved(String), refused
        }
        let files = FaultyFiles()
        let document = try Storage(files: files, unreadable: .refuse).document("count", default: 0)
        #expect(
            try document.update(orThrow: Own.notSaved) {
                $0 += 1; return $0
            } == 1)
        #expect(throws: Own.refused) {
            try document.update(orThrow: Own.notSaved) { (count) throws(Own) in
                count = 7
                throw .refused
            }
        }
        files.fill(true)
        let error = #expect(throws: Own.self) { try document.update(orThrow: Own.notSaved) { $0 = 2 } }
        guard case .notSaved(let why) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("the disk is full"))
        #expect(document.value == 1)
    }

    @Test("An update in a folder that was moved away changes nothing and reports the reason")
    func goneFolder() throws {
        let document = try Storage(folder: folder.url).document("count", default: 0)
        try document.update { $0 = 1 }
        try FileManager.default.moveItem(at: folder.url, to: folder.url.appendingPathExtension("moved"))
        defer { try? FileManager.default.removeItem(at: folder.url.appendingPathExtension("moved")) }
        let error = #expect(throws: StorageError.self) { try document.update { $0 = 2 } }
        #expect(error?.code == .notWritten)
        #expect(error?.description.contains("No such file or directory") == true)
        #expect(document.value == 1)
    }

    @Test("An update that cannot replace its file leaves no temporary file behind")
    func takenPlace() throws {
        let document = try Storage(folder: folder.url).document("count", default: 0)
        try FileManager.default.createDirectory(
            at: folder.file("count.json"), withIntermediateDirectories: false)
        #expect(code { try document.update { $0 = 2 } } == .notWritten)
        #expect(document.value == 0)
        #expect(try folder.stored == ["count.json"])
    }

    @Test("Opening a storage fails if its folder or a parent folder is a file")
    func noFolder() throws {
        try folder.write("", to: "file")
        #expect(code { _ = try Storage(folder: folder.file("file")) } == .noFolder)
        #expect(
            code { _ = try Storage(folder: folder.file("file").appendingPathComponent("sub")) } == .noFolder)
        #expect(try folder.text("file") == "")
    }

    /// The descriptors of this process that refer to the folder's lock.
    private func lockDescriptors() throws -> [CInt] {
        var lock = stat()
        let hasLock = unsafe stat(folder.file(".lock").path, &lock) == 0
        try #require(hasLock)
        return (0..<1024).filter { file in
            var status = stat()
            let isOpen = unsafe fstat(file, &status) == 0
            return isOpen && status.st_ino == lock.st_ino && status.st_dev == lock.st_dev
        }
    }

    @Test("A freed storage has released its folder, even if a child process has a copy of the descriptor")
    func copied() throws {
        // Uses up the low descriptors, because a lock with the descriptor 8 would be released even if the arguments of
        // `flock(descriptor, LOCK_UN)`, whose operation is 8, were swapped.
        let low = (0..<16).map { _ in unsafe open("/dev/null", O_RDONLY) }
        defer { low.forEach { close($0) } }
        var first: Storage? = try Storage(folder: folder.url)
        try #require(first != nil)
        // A child process that has not reached exec has such copies.
        let copies = try lockDescriptors().map { dup($0) }
        defer { copies.forEach { close($0) } }
        try #require(copies.count == 1)
        first = nil
        _ = try Storage(folder: folder.url)
    }

    @Test("A second storage in the same folder is rejected until the first one and its documents are freed")
    func twice() throws {
        var first: Storage? = try Storage(folder: folder.url)
        var document = try first?.document("count", default: 0)
        let error = #expect(throws: StorageError.self) { try Storage(folder: folder.url) }
        #expect(error?.code == .inUse)
        #expect(error?.description.contains(": this process itself is using this folder.") == true)
        #expect(try lockDescriptors().count == 1)
        first = nil
        #expect(code { _ = try Storage(folder: folder.url) } == .inUse)
        try document?.update { $0 = 7 }
        document = nil
        #expect(try Storage(folder: folder.url).document("count", default: 0).value == 7)
        #expect(try lockDescriptors() == [])
    }
}

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("Storage in a separate process", .waitLimit)
struct ProcessTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("An app without standard input, where files have the descriptor 0, has a storage")
    func noInput() async {
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            let folder = URL(fileURLWithPath: path), storage = try Storage(folder: folder)
            close(STDIN_FILENO)
            // Here, the files and the folder have the descriptor 0.
            let count = try storage.document("count", default: 0)
            try count.update { $0 = 1 }
            #expect(count.value == 1)
            // Here, the lock has it.
            _ = try Storage(folder: folder.appendingPathComponent("other"))
        }
    }

    @Test("The error for a folder that another process is using contains the ID of that process")
    func otherProcess() async throws {
        let storage = try Storage(folder: folder.url)
        await #expect(processExitsWith: .success) {
            [path = folder.url.path as String, owner = getpid() as Int32] in
            let error = #expect(throws: StorageError.self) { try Storage(folder: URL(fileURLWithPath: path)) }
            #expect(error?.code == .inUse)
            #expect(error?.description.contains(": process \(owner) is using this folder.") == true)
        }
        #expect(storage.setAside.isEmpty)
    }

    @Test("Updating a document inside its own update stops the process", .timeLimit(.minutes(10)), .waitLimit)
    func nestedUpdate() async {
        await #expect(processExitsWith: .failure) {
            // So that Swift does not write a backtrace, which takes a minute on a slow machine.
            for number in [SIGABRT, SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
            let document = try Storage.inMemory().document("count", default: 0)
            try document.update { _ in try document.update { $0 += 1 } }
        }
    }

    @Test("A truncated write keeps the old file and leaves no temporary file behind")
    func shortWrite() async throws {
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            let storage = try Storage(folder: URL(fileURLWithPath: path))
            let document = try storage.document("text", default: "old")
            try document.update { _ in }
            // Limits files to 4 kB: the write that exceeds the limit is truncated, and the next one fails.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
            #if canImport(Glibc)
            let set = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
            let set = unsafe setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            #expect(set == 0)
            let error = #expect(throws: StorageError.self) {
                try document.update { $0 = String(repeating: "new", count: 10_000) }
            }
            #expect(error?.description.contains("File too large") == true)
            #expect(document.value == "old")
            try document.update { $0 = "newer" }
        }
        #expect(try folder.stored == ["text.json"])
        #expect(try Storage(folder: folder.url).document("text", default: "").value == "newer")
    }

    @Test("A read-only folder is reported when the storage is opened or a document is updated")
    func readOnly() async throws {
        try folder.write("", to: "other-file")
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            let url = URL(fileURLWithPath: path)
            // Root can write everywhere, so the process first becomes the user `nobody`.
            if geteuid() == 0 {
                let nobody: UInt32 = 65_534
                #expect(unsafe chown(path, nobody, nobody) == 0)
                #expect(seteuid(nobody) == 0)
            }
            do {
                let document = try Storage(folder: url).document("count", default: 0)
                #expect(unsafe chmod(path, 0o500) == 0)
                #expect(code { try document.update { $0 = 1 } } == .notWritten)
                #expect(document.value == 0)
            }
            #expect(unsafe unlink(path + "/.lock") != 0)
            #expect(unsafe chmod(path, 0o300) == 0)
            #expect(unsafe unlink(path + "/.lock") == 0)
            #expect(unsafe chmod(path, 0o500) == 0)
            #expect(code { _ = try Storage(folder: url) } == .noFolder)
            #expect(code { _ = try Storage(folder: url.appendingPathComponent("sub")) } == .noFolder)
            #expect(unsafe chmod(path, 0o700) == 0)
        }
        #expect(try folder.stored == ["other-file"])
    }
}
#endif
