import Links

/// Sets up an app's table. Each function hears of routes and actions alike.
func prepare(_ table: LinkTable, log: @escaping @Sendable (String) -> Void) {
    table.setGuard { call in
        call.origin == .outside && call.parameters["token"] == nil ? "a call from outside needs a token" : nil
    }
    table.addObserver { call in
        log("\(call.caller.fileID) calls \(call.requested)")
        return { error in log("\(call.requested): \(error.map { "\($0)" } ?? "done")") }
    }
}
