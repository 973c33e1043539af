#if os(Linux)
import ApiCenter
import Foundation
import Testing

/// Processes that contain two copies of a module: a program and a dynamic library link it statically.
@Suite("Modules that are linked twice")
struct LinkedTwiceTests {
    /// How the program gets the library.
    enum Way: CaseIterable {
        case linked, opened
    }

    private static let api = """
        public protocol RideApiProtocol {}
        """
    private static let library = """
        import ApiCenter
        import RideApi

        struct Ride: RideApiProtocol {}

        @_cdecl("registerRide") public func registerRide() {
            ApiCenter.shared.register(RideApiProtocol.self) { Ride() }
            print("library:", ApiCenter.linkedTwice ?? "one copy")
        }
        """
    private static let program = """
        import ApiCenter
        import Foundation
        import RideApi

        ApiCenter.shared.addObserver { print("observer:", $0.linkedTwice ?? "one copy") }
        #if OPENED
        let library = dlopen("libRide.so", RTLD_NOW)
        typealias Register = @convention(c) () -> Void
        unsafeBitCast(dlsym(library, "registerRide"), to: Register.self)()
        #else
        @_silgen_name("registerRide") func registerRide()
        registerRide()
        #endif
        print("again:", ApiCenter.shared.api(type: RideApiProtocol.self) == nil)
        do { _ = try ApiCenter.shared.requireApi(type: RideApiProtocol.self) } catch { print("error:", error) }
        print("program:", ApiCenter.linkedTwice ?? "one copy")
        """

    /// Compiles the program and the library, and runs the program for each way.
    ///
    /// - Parameter center: The compiler's arguments that link ApiCenter into each of the two images.
    private func run(_ programs: borrowing Programs, linking center: [String], _ way: Way) throws -> [String]
    {
        try programs.compileModule("RideApi", [programs.write(Self.api, to: "RideApi.swift")])
        let here = ["-L", ".", "-Xlinker", "-rpath=\(programs.folder.path)"]
        try programs.swiftc(
            ["-emit-library", "-module-name", "Ride", "-o", "libRide.so", "RideApi.o"] + center + here
                + [programs.write(Self.library, to: "Ride.swift")])
        try programs.swiftc(
            ["-o", "App", "RideApi.o"] + (way == .linked ? ["-lRide"] : ["-D", "OPENED"]) + center + here
                + [programs.write(Self.program, to: "main.swift")])
        let result = try programs.run(programs.folder.path + "/App")
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("Two copies of ApiCenter are reported, with both images, to both copies", arguments: Way.allCases)
    func center(_ way: Way) throws {
        let programs = try Programs()
        let lines = try run(programs, linking: ["ApiCenter.o"], way)
        let reports = ["library: ", "observer: ", "program: "].map { start in
            lines.first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? "no line"
        }
        #expect(Set(reports).count == 1, "\(lines)")
        #expect(reports[0].hasPrefix("ApiCenter is linked twice, into "))
        #expect(reports[0].contains("libRide.so") && reports[0].contains("/App"))
        #expect(lines.contains("again: true"))
        #expect(lines.contains { $0.hasPrefix("error: ") && $0.hasSuffix(reports[0]) }, "\(lines)")
    }

    @Test("Two copies of an Api are reported, with both images, when there is one ApiCenter")
    func api() throws {
        let programs = try Programs()
        try programs.swiftc(["-emit-library", "-o", "libApiCenter.so", "ApiCenter.o"])
        let lines = try run(programs, linking: ["-lApiCenter"], .linked)
        let error = lines.first { $0.hasPrefix("error: ") } ?? "no line"
        #expect(lines.contains("library: one copy") && lines.contains("program: one copy"), "\(lines)")
        #expect(
            error.contains(
                #/RideApi\.RideApiProtocol is linked twice: Ride/Ride\.swift:\d+ in \S*libRide\.so registered/#
            ))
        #expect(error.contains(#/as App/main\.swift:\d+ in \S*/App requests/#))
        #expect(lines.contains { $0.hasPrefix("observer: RideApi.RideApiProtocol is linked twice") })
    }
}
#endif
