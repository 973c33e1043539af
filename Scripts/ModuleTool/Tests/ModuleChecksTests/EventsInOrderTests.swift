import RuleFixtures
import Testing

@Suite("The rule events-in-order")
struct EventsInOrderTests {
    private static let path = "Apps/Shell/Sources/Shell/Phases.swift"

    private static func file(_ code: String, imports: String = "Lifecycle") -> [Change] {
        [
            .write(
                path,
                "import \(imports)\n\nfunc f(host: ModuleHost, event: LifecycleEvent) {\n    \(code)\n}\n")
        ]
    }

    static let cases = [
        Case(
            "a task that sends or posts an event", "events-in-order",
            finds: ["\(path):4:18: a task sends an event, and two tasks may run in the reverse order"],
            file("Task { await host.send(event) }")),
        Case(
            "a call with a priority", "events-in-order", finds: ["\(path):4:39: "],
            file("Task(priority: .high) { _ = await metroApp?.send(next) }")),
        Case(
            "an event by its name", "events-in-order", finds: ["\(path):4:31: "],
            file("Task.detached { _ = await launch.value.post(.openURL(url)) }")),
        Case(
            "SwiftUI's modifier", "events-in-order", finds: ["\(path):4:50: "],
            file("Text(title).task(id: phase) { await observed(host.send(.active)) }")),
        Case(
            "the tasks of a group", "events-in-order", finds: ["\(path):4:27: "],
            file("group.addTask { await host.send(.active) }")),
        Case(
            "an `async let`", "events-in-order", finds: ["\(path):4:23: "],
            file("async let first = host.send(.active), second: Void = wait()")),
        Case(
            "a property of a task", "events-in-order", file("view.task = job; await host.send(.active)")),
        Case(
            "a post outside the task", "events-in-order",
            file("let delivery = host.post(.active); Task { _ = await delivery.report }")),
        Case(
            "the posts of one loop, which are in order", "events-in-order",
            file("Task { for await warning in warnings { app.post(.memoryWarning) } }")),
        Case(
            "a task in a loop", "events-in-order", finds: ["\(path):4:51: "],
            file("Task { for await warning in warnings { Task { app.post(.memoryWarning) } } }")),
        Case(
            "other things that are sent", "events-in-order",
            file("Task { network.send(request); center.post(name: .active); host.send(1, to: 2) }")),
        Case(
            "a file without Lifecycle", "events-in-order",
            file("Task { await host.send(event) }", imports: "Testing")),
    ]

    @Test("events-in-order finds the events that a task sends", arguments: cases)
    func rule(_ change: Case) throws { try change.run() }
}
