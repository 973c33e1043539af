import GateApi
import HomeApi
import JourneyApi
import PayTypeApi
import RideApi
import SDKManagerApi
import UserApi
import WebContainerApi

/// The texts of values and errors in the record.
///
/// Only the listed types are shown with their contents. Of any other value, the record holds the type alone, so no new secret
/// gets into it unnoticed. Ride codes are secrets too: a gate opens for whoever shows one.
enum RecordedText {
    /// The text of a value; nil for no value.
    static func of(_ value: Any) -> String? {
        switch value {
        case is Void: nil
        case Optional<Any>.none: "nil"
        case Optional<Any>.some(let some) where isOptional(value): of(some)
        case let text as String: quoted(text)
        case let value as Bool: "\(value)"
        case let session as UserSession: session.name
        case is GateCode, is RideTicket: "a code"
        case let passage as GatePassage: "passed at \(passage.station)"
        case let passage as Passage: text(of: passage)
        case let banner as HomeBanner: quoted(banner.title) + (banner.isCached ? " (cached)" : "")
        case let journeys as [Journey]: count(journeys.count, "journey", "journeys")
        case let payType as PayType: payType.name
        case let payTypes as [PayType]: payTypes.map(\.name).joined(separator: ", ")
        case let wallet as PayWallet: wallet.selected?.name ?? "no payment method"
        case let payment as Payment: payment.receipt
        case let items as [SDKMenuItem]: items.map(\.title).joined(separator: ", ")
        case let page as WebPage: "\(page.container) with \(page.url)"
        case let answers as [String?] where answers.count < 3:
            answers.map { $0.map(quoted) ?? "nil" }.joined(separator: ", ")
        case let lines as [String]: count(lines.count, "text", "texts")
        default: "\(type(of: value))".prefix { $0 != "<" }.description
        }
    }

    /// The text of an error. What a passenger typed into the wrong field is not repeated.
    static func of(error: any Error) -> String {
        if case UserApiError.badPhone = error { return "badPhone" }
        return cut(String(describing: error))
    }

    /// A text in quotes, cut to the length of a line.
    static func quoted(_ text: String) -> String { "“\(cut(text))”" }

    private static func cut(_ text: String) -> String { text.count > 120 ? text.prefix(119) + "…" : text }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many)"
    }

    private static func text(of passage: Passage) -> String {
        switch passage {
        case .entered(let station): "entered at \(station)"
        case .left(let fare): "left at \(fare.to)" + (fare.receipt.map { ": \($0)" } ?? "")
        }
    }

    private static func isOptional(_ value: Any) -> Bool {
        Mirror(reflecting: value).displayStyle == .optional
    }
}
