import Foundation

/// A played day as JSON.
struct JSONDay: Encodable {
    struct Step: Encodable {
        let title: String
        let outcomes: [Outcome]
        let calls: [Call]
    }

    struct Outcome: Encodable {
        let text: String
        let isRefusal: Bool
    }

    struct Call: Encodable {
        /// `api`, `route`, `action` or `notification`.
        let way: String
        /// The calling module; nil for a notification.
        let caller: String?
        let callee: String
        let name: String
        let file: String?
        let line: UInt?
        let isAbsent: Bool
        let error: String?
    }

    let data: String?
    let server: String
    let setAside: [String]
    let steps: [Step]

    init(_ day: PlayedDay) {
        (data, server, setAside) = (day.data, day.server, day.setAside)
        steps = day.steps.map { step in
            Step(
                title: step.title,
                outcomes: step.entries.compactMap { entry in
                    switch entry {
                    case .told(let text): Outcome(text: text, isRefusal: false)
                    case .refused(let text): Outcome(text: text, isRefusal: true)
                    case .call, .failed, .step: nil
                    }
                },
                calls: step.calls.map {
                    Call(
                        way: $0.way.rawValue, caller: $0.caller, callee: $0.callee, name: $0.name,
                        file: $0.site?.fileID, line: $0.site?.line, isAbsent: $0.isAbsent,
                        error: step.error(of: $0))
                })
        }
    }
}
