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
            .button("Get the statement", action: "statement"),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "statement" else { throw tap.unknownAction }
        let lines = try await center.requireApi(type: JourneyApiProtocol.self).statement()
        return .show(StatementPage(lines: lines))
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

/// The page with the operator's statement, which the passenger may save.
struct StatementPage: Page {
    /// One line for each journey.
    let lines: [String]
    let title = "Statement"

    func contents() -> [PageContent] {
        let count = lines.count == 1 ? "1 journey" : "\(lines.count) journeys"
        let text = lines.map { $0 + "\n" }.joined()
        return [.text("The operator has charged you for \(count).")]
            + (lines.isEmpty
                ? []
                : [
                    .rows(lines.map { PageRow($0) }),
                    .file(PageFile("Save the statement", name: "statement.txt", text: text)),
                ])
            + [.rows([PageRow("My journeys", opens: JourneyRoute.main)])]
    }
}
