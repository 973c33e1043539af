extension Int {
    /// The number with a noun, such as "1 call" or "2 calls".
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
