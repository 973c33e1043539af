import ApiCenter
import Providers
import TestSupport
import Testing

private protocol SearchApiProtocol: Sendable {
    func find(_ text: String) async -> [String]
}

/// The search until now.
private struct WordSearch: SearchApiProtocol {
    func find(_ text: String) async -> [String] { ["word \(text)"] }
}

/// The new search, which a feature flag turns on.
private struct FuzzySearch: SearchApiProtocol {
    func find(_ text: String) async -> [String] { ["fuzzy \(text)"] }
}

/// Search's IMP: asks the implementation that the flag chooses.
private struct FlaggedSearch: SearchApiProtocol {
    let searches: Providers<SearchApiProtocol>

    init(isFuzzy: @escaping @Sendable () -> Bool) {
        searches = Providers(tag: { isFuzzy() ? "fuzzy" : "word" })
        searches.add(WordSearch(), tags: ["word"])
        searches.add(FuzzySearch(), tags: ["fuzzy"])
    }

    func find(_ text: String) async -> [String] { await searches.pick()?.find(text) ?? [] }
}

@Suite("Two IMPs, chosen while the app runs")
struct FeatureFlagTests {
    @Test("A caller that keeps the Api follows a feature flag that changes while the app runs")
    func flag() async throws {
        let (center, flag) = (ApiCenter(), Shared(false))
        center.register(SearchApiProtocol.self, scope: .once) { FlaggedSearch { flag.value } }
        let search = try center.requireApi(type: SearchApiProtocol.self)
        #expect(await search.find("tea") == ["word tea"])
        flag.value = true
        #expect(await search.find("tea") == ["fuzzy tea"])
    }
}
