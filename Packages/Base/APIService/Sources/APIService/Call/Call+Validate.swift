import Foundation

/// The step that checks the status of an answer and parses its body.
extension Call {
    /// Returns the answer with its value, or with the error of the first check that fails. The answers of a cache were
    /// accepted when they were stored.
    func validated(_ answer: APIAnswer) async -> APIAnswer {
        guard answer.value == nil else { return answer }
        do throws(APIError) {
            if answer.source == .network {
                guard acceptableStatusCodes.contains(answer.response.statusCode) else {
                    let failure = APIStatusFailure(answer.response, body: answer.body)
                    throw .responseError(.unacceptableStatus(failure))
                }
                journal.note(.parse)
            }
            return try await parsed(answer)
        } catch {
            var answer = answer
            answer.value = .failure(error)
            return answer
        }
    }

    /// Returns the answer with its parsed value.
    ///
    /// - Throws: The parser's error as an ``APIError/responseError(_:)``, or the reason of the signal.
    package func parsed(_ answer: APIAnswer) async throws(APIError) -> APIAnswer {
        // For a small body, starting a task would take longer than parsing.
        guard answer.body.count > 16_384 else { return try parsedNow(answer) }
        return try await signal.run { () throws(APIError) in try self.parsedNow(answer) }.get()
    }

    /// Returns the answer with its value, which the current thread parses.
    ///
    /// - Throws: The parser's error as an ``APIError/responseError(_:)``.
    package func parsedNow(_ answer: APIAnswer) throws(APIError) -> APIAnswer {
        var answer = answer
        answer.value = .success(try parse(answer.file.map { Data($0.path.utf8) } ?? answer.body))
        return answer
    }
}
