import ErrorCode
import Foundation
import Testing

@Suite("An error code")
struct ErrorCodeTests {
    /// The numbers are a contract with servers and released apps, so this list may only grow.
    static let contract: KeyValuePairs<Int, (ErrorCode, name: String)> = [
        0: (.success, "success"),
        1001: (.notLoggedIn, "notLoggedIn"),
        1002: (.wrongCredentials, "wrongCredentials"),
        1003: (.sessionExpired, "sessionExpired"),
        2001: (.invalidConfiguration, "invalidConfiguration"),
        2002: (.notInitialised, "notInitialised"),
        3001: (.termsNotAgreed, "termsNotAgreed"),
        3002: (.serviceNotOpen, "serviceNotOpen"),
        4001: (.codeUnknown, "codeUnknown"),
        4002: (.codeExpired, "codeExpired"),
        4003: (.codeUsed, "codeUsed"),
        4004: (.codeReplaced, "codeReplaced"),
        4005: (.notEntered, "notEntered"),
        4006: (.alreadyEntered, "alreadyEntered"),
        4007: (.gateUnreachable, "gateUnreachable"),
        5001: (.payTypeUnknown, "payTypeUnknown"),
        5002: (.payTypeRefused, "payTypeRefused"),
        5003: (.paymentRefused, "paymentRefused"),
        5004: (.notEnoughBalance, "notEnoughBalance"),
        9999: (.unknown, "unknown"),
    ]

    @Test("Every error code keeps its number and its name")
    func numbers() {
        for (number, (code, name)) in Self.contract {
            #expect(code.rawValue == number)
            #expect(code.name == name)
        }
        #expect(ErrorCode.known.map(\.rawValue) == Self.contract.map(\.key))
    }

    @Test(
        "Every error code has its own one-sentence message", arguments: ErrorCode.known)
    func message(code: ErrorCode) {
        #expect(code.message.first?.isUppercase == true)
        #expect(code.message.last == ".")
        #expect(code.message.filter { $0 == "." }.count == 1)
        #expect(ErrorCode.known.filter { $0.message == code.message } == [code])
    }

    @Test("The description of an error code contains its number, its name and its message")
    func description() {
        #expect("\(ErrorCode.notLoggedIn)" == "1001 notLoggedIn: Please log in first.")
    }

    @Test(
        "An unknown error code keeps its number and is described as unknown",
        arguments: [-1, 4711, .max, .min])
    func newer(number: Int) {
        let code = ErrorCode(rawValue: number)
        #expect(code.rawValue == number)
        #expect(code.name == nil)
        #expect(code.message.hasSuffix("(code \(number))."))
        #expect("\(code)".hasPrefix("\(number) unknown to this app: "))
        #expect(!ErrorCode.known.contains(code))
    }

    @Test(
        "An error code is a plain number in JSON",
        arguments: [ErrorCode.success, .codeUsed, ErrorCode(rawValue: 4711)])
    func json(code: ErrorCode) throws {
        struct Answer: Codable, Equatable {
            var code: ErrorCode
            var msg: String
        }
        let answer = Answer(code: code, msg: "")
        let text = #"{"code":\#(code.rawValue),"msg":""}"#
        #expect(try JSONDecoder().decode(Answer.self, from: Data(text.utf8)) == answer)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(answer) == Data(text.utf8))
    }
}
