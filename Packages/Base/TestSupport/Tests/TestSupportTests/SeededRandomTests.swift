import TestSupport
import Testing

@Suite("SeededRandom")
struct SeededRandomTests {
    @Test("SeededRandom generates the reference numbers of SplitMix64, the same in every run")
    func reference() {
        var random = SeededRandom(1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test("SeededRandom eventually picks every choice")
    func pick() {
        var random = SeededRandom(1)
        #expect(Set((0..<100).map { _ in random.pick(["a", "b", "c"]) }) == ["a", "b", "c"])
    }
}
