import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Async response interceptors", .waitLimit)
struct ResponseInterceptorTests {
    private struct Request: APIResponseInterceptor {
        typealias Response = Text
        let baseURL = url("http://test.example")
        let path = "/thing"
        let replace: @Sendable (APIResponse<Text>) async -> APIResponse<Text>

        func intercept(response: APIResponse<Text>) async -> APIResponse<Text> { await replace(response) }
    }

    private let service = APIService(client: StubAPIClient { _ in .text("1") }, config: testSettings())

    @Test("The caller gets the response that the async interceptor returns")
    func replaced() async {
        let request = Request { response in
            await Task.yield()
            var response = response
            response.result = .success(Text((response.result.value?.text ?? "") + "2"))
            return response
        }
        #expect(await service.response(to: request).result.value == Text("12"))
    }

    @Test("Cancelling a request does not wait for its async interceptor")
    func cancelled() async {
        let (there, go, ended) = (Door(), Door(), Door())
        let request = Request { response in
            there.open()
            await go.pass()
            ended.open()
            return response
        }
        let task = Task { await service.response(to: request) }
        await there.pass()
        task.cancel()
        #expect(await task.value.result.error == .cancelled)
        go.open()
        await ended.pass()
    }
}
