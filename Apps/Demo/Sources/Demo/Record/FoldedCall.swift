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

    /// Folds the events of a group. Calls are equal if they have the same caller, callee, name, value and error, and equal calls
    /// ran during them. A line stands where the first of its calls began.
    static func lines(of events: [TapGroup.Event]) -> [Line] {
        var children: [Int: [Int]] = [:]
        var depths = [Int](repeating: 0, count: events.count)
        for (index, event) in events.enumerated() {
            // A call begins after the one around it.
            guard let parent = event.call?.parent, parent < index else { continue }
            children[parent, default: []].append(index)
            depths[index] = depths[parent] + 1
        }
        var shapes = [Shape?](repeating: nil, count: events.count)
        for (index, event) in events.enumerated().reversed() {
            shapes[index] = event.call.map { call in
                Shape(key: call.key, children: Set(children[index, default: []].compactMap { shapes[$0] }))
            }
        }
        var lines: [Line] = []
        var known: [Shape: Int] = [:]
        for (index, event) in events.enumerated() {
            switch event {
            case .told(let text): lines.append(.told(text))
            case .refused(let text): lines.append(.refused(text))
            case .call(let call):
                guard let shape = shapes[index] else { continue }
                if let line = known[shape], case .call(var folded) = lines[line] {
                    folded.add(call)
                    lines[line] = .call(folded)
                } else {
                    known[shape] = lines.count
                    lines.append(.call(FoldedCall(call, depth: depths[index])))
                }
            }
        }
        return lines
    }

    /// A call with the calls that ran during it. Their number and order do not matter.
    private struct Shape: Hashable {
        let key: ModuleCall
        let children: Set<Shape>
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
