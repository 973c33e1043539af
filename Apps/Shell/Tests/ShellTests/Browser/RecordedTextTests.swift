import APITransport
import Foundation
import JourneyApi
import Links
import PayTypeApi
import RideApi
import SDKManagerApi
import Testing
import UserApi
import WebContainerApi

@testable import Demo

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The texts of the record")
struct RecordedTextTests {
    @Test("Of a failed exchange, the record contains the case and the code, and not the query")
    func transport() async throws {
        let diary = Diary()
        diary.begin("A tap")
        let client = RecordingClient(client: URLSessionAPIClient(), diary: diary)
        // Nothing listens on port 1.
        let url = try #require(URL(string: "http://127.0.0.1:1/a?token=secret"))
        await withCheckedContinuation { done in
            client.createDataRequest(request: URLRequest(url: url), progressHandler: nil) { _ in
                done.resume()
            }.resume()
        }
        let call = try #require(diary.groups.first?.calls.first)
        #expect(call.name == "GET /a")
        #expect(call.error == "unreachable, URLError \(URLError.cannotConnectToHost.rawValue)")
        #expect(!"\(diary.groups)".contains("secret"))
        struct Unlisted: Error { let text = "secret" }
        #expect(RecordedText.of(error: APITransportError.broken(Unlisted())) == "broken, Unlisted")
        #expect(RecordedText.of(error: APITransportError.cancelled) == "cancelled")
    }

    @Test("URLs are recorded without query, fragment, user and password")
    func urls() {
        let page = WebPage(container: "New", url: "https://ann:secret@x.example/a?token=secret")
        #expect(RecordedText.of(page) == "New with https://x.example/a")
        #expect(RecordedText.quoted("See https://x.example/a#secret") == "“See https://x.example/a”")
        #expect(RecordedText.quoted("Really?") == "“Really?”")
        for url in ["x.example?token=secret", "http://x.example/?token=secret"] {
            let error = WebContainerApiError.badURL(url, reason: "no")
            #expect(RecordedText.of(error: error) == "badURL: no")
            let failure = LinkError(.handlerFailed, url: "web?url=\(url)", underlying: error)
            #expect(RecordedText.of(error: failure) == "badURL: no")
        }
    }

    @Test("Of an error of an unlisted type, the record contains the type alone")
    func unlisted() {
        struct Unlisted: Error { let text = "secret" }
        #expect(RecordedText.of(error: Unlisted()) == "Unlisted")
        let handler = LinkError(.handlerFailed, url: "web?token=secret", underlying: Unlisted())
        #expect(RecordedText.of(error: handler) == "Unlisted")
        let setting = SDKManagerApiError.invalid(field: "baseURL", value: "secret", reason: "it has no host")
        #expect(RecordedText.of(error: setting) == "invalid baseURL: it has no host")
    }

    @Test("Of an error of an Api, the record contains the case and its texts")
    func cases() {
        #expect(RecordedText.of(error: UserApiError.wrongCredentials) == "wrongCredentials")
        #expect(RecordedText.of(error: JourneyApiError.notSaved("no room")) == "notSaved: no room")
        let refusal = PayTypeApiError.refused(name: "Bank card", reason: "not yours")
        #expect(RecordedText.of(error: refusal) == "refused: Bank card, not yours")
        #expect(RecordedText.of(error: RideApiError.codeRefused(.used)) == "codeRefused: used")
    }

    @Test("Of the error of a link, the record contains neither the URL nor the value of a parameter")
    func links() {
        let wrong = ParameterError(key: "limit", expected: "Int", found: "the string secret")
        #expect(RecordedText.of(error: LinkError(.badParameter(wrong))) == "badParameter limit")
        let local = RecordedText.of(error: LinkError(.localOnly, url: "user_vc?password=secret"))
        #expect(local.hasPrefix("links: calls from outside the app"))
    }

    @Test("An empty list is a list of its own type")
    func lists() {
        #expect(RecordedText.of([Journey]()) == "0 journeys")
        #expect(RecordedText.of([String]()) == "0 texts")
        #expect(RecordedText.of([PayType]()) == "none")
        #expect(RecordedText.of([SDKMenuItem]()) == "none")
        #expect(RecordedText.of(Optional([String]()) as Any) == "0 texts")
        #expect(RecordedText.of(["a"]) == "1 text")
    }
}
