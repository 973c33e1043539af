import Money
import Testing

@Suite("Money")
struct MoneyTests {
    @Test(
        "Money is formatted as euros with two digits for the cents",
        arguments: [
            (0, "€0.00"), (5, "€0.05"), (250, "€2.50"), (1_200, "€12.00"), (123_456, "€1234.56"),
            (-5, "-€0.05"), (-1_205, "-€12.05"), (.max, "€92233720368547758.07"),
            (.min, "-€92233720368547758.08"),
        ])
    func text(cents: Int, text: String) {
        #expect(Money(cents: cents).description == text)
    }
}
