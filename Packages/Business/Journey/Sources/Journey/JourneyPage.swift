import ApiCenter
import JourneyApi
import Money
import Pages
import UserApi

/// The page with the passenger's journeys.
struct JourneyPage: Page {
    let center: ApiCenter
    let title = "My journeys"

    func contents() async throws -> [PageContent] {
        let journeys = try center.requireApi(type: JourneyApiProtocol.self).journeys(limit: 20)
        let rows = journeys.map {
            PageRow(
                "\($0.from) - \($0.to)", detail: ($0.cents.map { "\(Money(cents: $0)), " } ?? "") + $0.day)
        }
        return [
            rows.isEmpty ? .text("You have not taken any journeys yet.") : .rows(rows),
            .button("Download last year's statement", action: "statement"),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "statement" else { throw tap.unknownAction }
        let lines = try await center.requireApi(type: JourneyApiProtocol.self).statement()
        return .stay(saying: "Last year: \(lines.count) journeys.")
    }

    func failure(for error: any Error) -> PageError {
        switch error as? JourneyApiError {
        case .notLoggedIn:
            PageError("Please log in first.", wayOut: PageRow("Log in", opens: UserRoute.main))
        case .unreachable(let why): PageError(why)
        case .notSaved(let why): PageError("The journey could not be saved on this device.", reason: why)
        case nil: .from(error)
        }
    }
}
