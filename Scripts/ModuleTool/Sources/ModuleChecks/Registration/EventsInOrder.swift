import ModuleFacts
import ModuleRules
import ModuleTree

extension Rule {
    static let eventsInOrder = Rule(
        "events-in-order", in: .registration, over: { $0.packages.flatMap(\.mainTargets) }
    ) { target, report in
        let senders = Set(
            target.imports.filter { ["Launch", "Lifecycle"].contains($1.module) }.map { $0.0.path })
        for path in senders.sorted() {
            guard let data = report.tree.contents(of: path) else { continue }
            let bytes = Array(data)
            let cache = report.tree.cache
            let positions = try TaskEvents.positions(in: bytes, path: path) {
                try cache.shared("events", bytes, read: $0)
            }
            for position in positions {
                report(
                    position.in(path), "a task sends an event, and two tasks may run in the reverse order",
                    fix: "Call post(_:) outside the task, and await the report of its delivery inside.")
            }
        }
    }
}
