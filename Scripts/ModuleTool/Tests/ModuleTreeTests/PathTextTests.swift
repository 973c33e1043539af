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
