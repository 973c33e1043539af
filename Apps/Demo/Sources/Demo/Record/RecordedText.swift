import APITransport
import ApiCenter
import Foundation
import GateApi
import HomeApi
import JourneyApi
import Links
import PayTypeApi
import RideApi
import SDKManagerApi
import ServiceOpenApi
import UserApi
import WebContainerApi

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The texts of values and errors in the record.
///
/// Only the listed types are shown with their contents. Of any other value or error, the record holds the type alone, so no new
/// type brings a secret into it unnoticed. The errors of the Apis are shown with all their values, so they must hold no secret.
/// Ride codes are secrets too: a gate opens for everybody who shows one. So are the queries of URLs, which may contain tokens,
/// and the texts of a log, which may contain anything.
enum RecordedText {
    /// The text of nil.
    private static let nothing = "nothing"

    /// The text of a value; nil for no value.
    static func of(_ value: Any) -> String? {
        // An empty array can be cast to an array of any type.
        let type = Swift.type(of: value)
        return switch value {
        case is Void: nil
        case Optional<Any>.none: nothing
        case Optional<Any>.some(let some) where isOptional(value): of(some)
        case let text as String: quoted(text)
        case let value as Bool: "\(value)"
        case let session as UserSession: session.name
        case is GateCode, is RideTicket: "a code"
        case let passage as GatePassage: "passed at \(passage.station)"
        case let passage as Passage: text(of: passage)
        case let banner as HomeBanner: quoted(banner.title) + (banner.isCached ? " (cached)" : "")
        case let journeys as [Journey] where type == [Journey].self:
            journeys.count.counted("journey")
        case let payType as PayType: payType.name
        case let payTypes as [PayType] where type == [PayType].self: names(payTypes.map(\.name))
        case let wallet as PayWallet: wallet.selected?.name ?? "no payment method"
        case let payment as Payment: payment.receipt
        case let items as [SDKMenuItem] where type == [SDKMenuItem].self: names(items.map(\.title))
        case let page as WebPage: "\(page.container) with \(address(page.url))"
        case let answers as [String?] where type == [String?].self && answers.count < 3:
            names(answers.map { $0.map(quoted) ?? nothing })
        case let lines as [String] where type == [String].self: lines.count.counted("text")
        default: "\(type)".prefix { $0 != "<" }.description
        }
    }

    /// The text of an error. What a passenger typed into the wrong field is not repeated, and neither are URLs and settings.
    static func of(error: any Error) -> String {
        switch error {
        case UserApiError.badPhone: "badPhone"
        case WebContainerApiError.badURL(_, let reason): "badURL: \(reason)"
        case APITransportError.unreachable(let cause): "unreachable, \(name(of: cause))"
        case APITransportError.broken(let cause): "broken, \(name(of: cause))"
        case APITransportError.local(let cause): "local, \(name(of: cause))"
        case APITransportError.cancelled: "cancelled"
        case SDKManagerApiError.invalid(let field, _, let reason): "invalid \(field): \(reason)"
        case let error as ApiError: error.cause.map(of(error:)) ?? "not registered"
        case let error as LinkError: text(of: error)
        case is GateApiError, is HomeApiError, is JourneyApiError, is PayTypeApiError, is RideApiError,
            is ServiceOpenApiError, is UserApiError:
            cut(text(ofCase: error))
        default: "\(type(of: error))"
        }
    }

    /// The text of an error, without the URL and the values of parameters.
    private static func text(of error: LinkError) -> String {
        switch error.reason {
        case .handlerFailed: error.underlying.map(of(error:)) ?? "handlerFailed"
        case .badParameter(let parameter): "badParameter \(parameter.key)"
        case .badURL: "badURL"
        default: cut("\(LinkError(error.reason, name: error.name, similar: error.similar))")
        }
    }

    /// The name of an enum's case, and its values.
    private static func text(ofCase error: any Error) -> String {
        guard let child = Mirror(reflecting: error).children.first, let name = child.label else {
            return "\(error)"
        }
        let values = Mirror(reflecting: child.value).children.map { "\($0.value)" }
        return "\(name): \(values.isEmpty ? "\(child.value)" : values.joined(separator: ", "))"
    }

    private static func name(of cause: any Error) -> String {
        (cause as? URLError).map { "URLError \($0.code.rawValue)" } ?? "\(type(of: cause))"
    }

    /// A parameter of a link. Only the values of the listed parameters are harmless.
    static func parameter(_ name: String, _ value: String) -> String {
        switch name {
        case "url": "\(name): \(quoted(address(value)))"
        case "backward", "limit", "station": "\(name): \(quoted(value))"
        default: name
        }
    }

    /// A URL without its query, fragment, user and password.
    static func address(_ url: String) -> String {
        String(url.prefix { $0 != "?" && $0 != "#" }).replacing(/(^|:\/\/)[^\/\s]*@/) { $0.1 }
    }

    /// A text in quotes, cut to the length of a line.
    static func quoted(_ text: String) -> String { "“\(cut(text))”" }

    /// Cuts a text to the length of a line, and at the query of a URL, whose end is unknown.
    private static func cut(_ text: String) -> String {
        let start = text.firstRange(of: "://")?.lowerBound ?? text.endIndex
        let text = text[..<start] + address(String(text[start...]))
        return text.count > 120 ? text.prefix(119) + "…" : String(text)
    }

    private static func names(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
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
