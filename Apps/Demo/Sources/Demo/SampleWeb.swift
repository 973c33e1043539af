/// The web pages that the sample links to. Their host names are reserved for examples, so no server answers them, and the app in
/// the browser shows them itself.
struct SampleWeb {
    let title: String
    let paragraphs: [String]

    private init(_ title: String, _ paragraphs: String...) {
        (self.title, self.paragraphs) = (title, paragraphs)
    }

    /// The pages by their URLs.
    private static let pages = [
        "https://metro.example/spring": SampleWeb(
            "Ride to the harbour this spring",
            "From March to May, the trains to Harbour run every four minutes on Saturdays and Sundays.",
            "The market at the quay opens at nine. The fare is the usual one: hold your code up to the gate."),
        "https://transit.example/terms": SampleWeb(
            "Terms of the ride service",
            "1. A code opens one gate once, and only for the passenger to whom it was issued.",
            "2. The operator computes the fare from the stations where the gates opened, and charges it when you leave.",
            "3. If your balance is too low, the ride continues until another payment method has paid for it."),
    ]

    /// The page of a URL; nil for a page of the real web.
    init?(url: String) {
        guard let page = Self.pages[url] else { return nil }
        self = page
    }
}
