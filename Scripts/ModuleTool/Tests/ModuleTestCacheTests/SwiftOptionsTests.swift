import ModuleKit
import Testing

@testable import ModuleTestCache

@Suite("Options after --")
struct SwiftOptionsTests {
    @Test("Options that may leave out tests, or are unknown, are refused")
    func refused() {
        for options in [
            ["--filter", "A"], ["--skip=A"], ["--skip-build"], ["list"], ["-s", "A"],
            ["--package-path", "x"],
            ["--build-system", "swiftbuild"], ["--triple=wasm"], ["--parallel=no"], ["--scratch-path"],
            ["-c"],
        ] {
            #expect(throws: Diagnostic.self, "\(options)") { try SwiftOptions(["-c", "release"] + options) }
        }
    }

    @Test("A value may follow an equals sign, and the last one counts")
    func values() throws {
        #expect(try SwiftOptions().scratchPath == ".build" && SwiftOptions().configuration == "debug")
        let options = try SwiftOptions([
            "--scratch-path", "a", "--configuration=release", "--parallel", "--build-path=b", "-Xswiftc",
            "-DA=B",
        ])
        #expect(options.scratchPath == "b" && options.configuration == "release")
        let linker = try SwiftOptions(["-Xlinker", "-c", "-Xcc", "--scratch-path"])
        #expect(linker.scratchPath == ".build" && linker.configuration == "debug")
        #expect(
            options.forBuilds == [
                "--scratch-path", "a", "--configuration", "release", "--scratch-path", "b", "-Xswiftc",
                "-DA=B",
                "--build-system", "native", "--scratch-path", "b",
            ])
        #expect(try SwiftOptions(["--parallel", "--no-parallel"]).forTests == ["--no-parallel"])
    }

    @Test("The parts of an option that may name files are known")
    func names() throws {
        let options = try SwiftOptions([
            "--scratch-path", "x", "--toolset=t.json", "-Xswiftc", "@list", "-Xlinker", "-Wl,a.o", "-Xcc",
            "-Iinclude", "-Xcc", "-isystemheaders", "-Xswiftc", "plugin.so#Macros",
        ])
        #expect(
            Set(options.names).isSuperset(of: ["t.json", "list", "a.o", "include", "headers", "plugin.so"]))
        #expect(!options.names.contains("x"))
    }
}
