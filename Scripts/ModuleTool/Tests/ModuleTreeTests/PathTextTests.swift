import Testing

@testable import ModuleTree

@Suite("Paths")
struct PathTextTests {
    @Test(
        "Cleaning a path removes redundant components",
        arguments: [
            ("a/./b//c/", "a/b/c"), ("a/../b", "b"), ("a/..", ""), ("../a/../../b", "../../b"), ("..", ".."),
            ("/..", "/"), ("/../a", "/a"), ("/a/..", "/"), ("/a/../../b", "/b"), ("/", "/"), ("", ""),
            (".", ""),
            ("...", "..."), ("a/..b/.c", "a/..b/.c"), ("..b/../c", "c"), ("/ä/../ö", "/ö"),
        ])
    func clean(path: String, clean: String) {
        #expect(PathText.clean(path) == clean)
    }

    @Test("A cleaned path refers to the same file as the original, for all combinations of components")
    func followed() {
        for number in 0..<4096 {
            // The base-4 digits of each number choose six components.
            let parts = (0..<6).map { ["..", "a", ".", "b"][number >> (2 * $0) & 3] }
            var place: [String] = []
            for part in parts where part != "." {
                if part == ".." { _ = place.popLast() } else { place.append(part) }
            }
            #expect(PathText.clean("/" + parts.joined(separator: "/")) == "/" + place.joined(separator: "/"))
            let relative = PathText.clean(parts.joined(separator: "/"))
            #expect(
                PathText.clean("/x/y/z/u/v/w/" + relative)
                    == PathText.clean("/x/y/z/u/v/w/" + parts.joined(separator: "/")))
        }
    }

    @Test(
        "A relative path is resolved against its folder; the result is nil outside the root",
        arguments: [
            ("../B", "A", "B"), ("..", "A", ""), ("../../r/C", "A", "C"), ("../../r", "A", ""),
            ("/r/D", "A", "D"),
            ("../../other", "A", nil), ("../../rest", "A", nil), ("/elsewhere", "", nil), ("..c", "", "..c"),
        ])
    func relative(path: String, folder: String, expected: String?) {
        #expect(PathText.relative(path, from: folder, in: "/r") == expected)
    }
}
