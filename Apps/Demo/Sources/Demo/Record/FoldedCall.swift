/// Equal calls of a group, as one line.
struct FoldedCall: Sendable {
    /// The first of the calls.
    let call: ModuleCall
    /// The number of calls around this one.
    let depth: Int
    private(set) var count = 1
    /// The number of calls that have not ended.
    private(set) var running: Int
    /// The sum of the durations; nil if no call has one.
    private(set) var seconds: Double?
    /// The different places of the calls.
    private(set) var places: [ModuleCall]

    private init(_ call: ModuleCall, depth: Int) {
        (self.call, self.depth, seconds) = (call, depth, call.seconds)
        places = call.place.isEmpty ? [] : [call]
        running = call.isRunning ? 1 : 0
    }

    private mutating func add(_ other: ModuleCall) {
        count += 1
        running += other.isRunning ? 1 : 0
        if let more = other.seconds { seconds = (seconds ?? 0) + more }
        let isNew = !places.contains { $0.file == other.file && $0.line == other.line }
        if isNew, !other.place.isEmpty { places.append(other) }
    }

    /// An event as a line: a text, or equal calls.
    enum Line: Sendable {
        case told(String)
        case refused(String)
        case call(FoldedCall)
    }

    /// Folds the events of a group. Calls are equal if they have the same caller, callee, name, value and error, and no call
    /// ran during them. A line stands where the first of its calls began.
    static func lines(of events: [TapGroup.Event]) -> [Line] {
        let calls = events.map(\.call)
        let parents = Set(calls.compactMap { $0?.parent })
        var depths = [Int](repeating: 0, count: events.count)
        var lines: [Line] = []
        var known: [ModuleCall: Int] = [:]
        for (index, event) in events.enumerated() {
            switch event {
            case .told(let text): lines.append(.told(text))
            case .refused(let text): lines.append(.refused(text))
            case .call(let call):
                if let parent = call.parent, parent < index { depths[index] = depths[parent] + 1 }
                let isLeaf = !parents.contains(index)
                if isLeaf, let line = known[call.key], case .call(var folded) = lines[line] {
                    folded.add(call)
                    lines[line] = .call(folded)
                    continue
                }
                if isLeaf { known[call.key] = lines.count }
                lines.append(.call(FoldedCall(call, depth: depths[index])))
            }
        }
        return lines
    }
}

extension ModuleCall {
    /// The call without what equal calls may differ in.
    fileprivate var key: ModuleCall {
        var key = self
        (key.file, key.line, key.seconds, key.parent) = (nil, nil, nil, nil)
        return key
    }

    /// Whether the call has a duration, but no end yet.
    fileprivate var isRunning: Bool {
        switch way {
        case .api: member != nil && seconds == nil
        case .route, .action, .request: seconds == nil
        case .notification: false
        }
    }
}
