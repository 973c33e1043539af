extension Digest {
    /// Whether two digests or authentication codes are equal.
    ///
    /// The running time depends on the lengths alone, because every byte is compared. With `==`, which stops at the first
    /// difference, an attacker who measures the time can guess a code byte by byte.
    public static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(one, other) { difference |= left ^ right }
        return difference == 0
    }
}
