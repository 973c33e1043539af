import Testing

@testable import ModuleKit

@Suite("Paths")
struct PathTextTests {
    @Test(
        "A place is a path, which may end in a line and a column",
        arguments: [
            ("A.swift", "A.swift", 0, 0), ("A.swift:3", "A.swift", 3, 0),
            ("a/A.swift:3:5", "a/A.swift", 3, 5),
            ("git fetch", "git fetch", 0, 0), ("C:x:7", "C:x", 7, 0), ("", "", 0, 0),
        ])
    func places(text: String, path: String, line: Int, column: Int) {
        let place = SourcePlace(text)
        #expect((place.path, place.line, place.column) == (path, line, column))
        #expect(place.description == text)
    }

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
