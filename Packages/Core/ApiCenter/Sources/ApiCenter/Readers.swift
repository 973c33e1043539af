import Synchronization

/// Who is reading now, so that what was removed can be freed when nobody can still be using it.
///
/// A reader announces itself in a slot before it looks anything up and takes its leave afterwards. A writer
/// first unlinks an object, then retires it: it notes the readers that are announced at that moment, and
/// the object is released when each of those has left. Readers that come later cannot find it any more.
///
/// - A reader pays one compare-and-swap on a slot that no other thread normally uses (slots are striped by
///   the thread's stack and padded to cache lines of their own), and a plain store when it leaves.
/// - A slot's value is odd while it is taken, and never the same twice, so a slot that is taken again does
///   not look like the reader that a writer waits for.
/// - The order that all rests on: the reader announces itself, then reads the pointer; the writer replaces
///   the pointer, then reads the slots. All four are sequentially consistent, so when the writer sees no
///   reader, that reader sees the new pointer.
/// - A reader frees what waited for it alone. Its leave is a plain store, so now and then it and the writer miss
///   each other: the one does not see that something waits, the other does not see it leave. What waits then is
///   freed by a later retirement, or the slot's next reader.
/// - With every slot taken (as many resolves under way at once, nested ones included) readers are counted
///   in one shared word instead: slower, and just as safe.
///
/// All operations are safe from every thread. Objects are released outside the lock, so a deinit may come
/// back to the center.
@safe struct Readers: ~Copyable, Sendable {
    static let slotCount = 64
    /// Words in a slot: 128 bytes, the prefetch unit of current processors.
    private static let stride = 16

    /// Which slot a reader took, and the value to leave in it. A negative slot: it is counted instead.
    struct Ticket {
        let slot: Int
        let value: UInt
        var isCounted: Bool { slot < 0 }
    }

    /// Objects that wait for the readers that were there when they were unlinked.
    private final class Retired {
        let objects: [AnyObject & Sendable]
        /// How many of those readers have not left.
        var readers: Int

        init(_ objects: [AnyObject & Sendable], readers: Int) {
            self.objects = objects
            self.readers = readers
        }
    }

    /// What waits for each slot's reader, known by the slot's value, and for the counted readers.
    private struct Waiting {
        var slots: [[(value: UInt, entry: Retired)]] = Array(repeating: [], count: slotCount)
        var counted: [Retired] = []
    }

    // The memory is this value's alone from init to deinit, and is only touched through atomics.
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let counted = Atomic<Int>(0)
    private let waiting = Locked(Waiting())
    /// A bit for each slot that something retired waits for; its reader looks here when it leaves.
    private let awaited = Atomic<UInt64>(0)

    init() {
        unsafe slots = .allocate(capacity: Self.slotCount * Self.stride)
        // All words of the allocation are initialised here, and deinitialised in deinit.
        for index in 0..<Self.slotCount * Self.stride { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe slots.deinitialize(count: Self.slotCount * Self.stride)
        unsafe slots.deallocate()
    }

    /// Announces a reader. What it finds from now on stays alive until it leaves.
    @inline(__always)
    func enter() -> Ticket {
        let home = Self.home()
        // `home` is below slotCount, so the word is inside the allocation.
        let value = unsafe slots[home &* Self.stride].load(ordering: .relaxed)
        if value & 1 == 0,
            unsafe slots[home &* Self.stride].compareExchange(
                expected: value, desired: value | 1, ordering: .sequentiallyConsistent
            ).exchanged
        {
            return Ticket(slot: home, value: value &+ 2)
        }
        return enter(after: home)
    }

    /// The reader's leave. Must come once for every ``enter()``.
    @inline(__always)
    func leave(_ ticket: Ticket) {
        guard !ticket.isCounted else { return leaveCounted() }
        // The slot came from `enter`, so the word is inside the allocation.
        unsafe slots[ticket.slot &* Self.stride].store(ticket.value, ordering: .releasing)
        if awaited.load(ordering: .relaxed) & (1 << UInt64(ticket.slot)) != 0 { collect(ticket.slot) }
    }

    /// Releases `objects`, which no new reader can find, when the last reader that may hold them has left:
    /// now, when there is none. Releases first what waits for readers that are seen to have left by now.
    ///
    /// Complexity: O(1), however much is waiting already, and what it releases.
    func retire(_ objects: [AnyObject & Sendable]) {
        sweep()
        var busy: [(slot: Int, value: UInt)] = []
        for slot in 0..<Self.slotCount {
            let value = word(slot)
            if value & 1 == 1 { busy.append((slot, value)) }
        }
        let waitsForCounted = counted.load(ordering: .sequentiallyConsistent) != 0
        if busy.isEmpty && !waitsForCounted { return }

        waiting.withLock { [busy] waiting in
            let entry = Retired(objects, readers: busy.count + (waitsForCounted ? 1 : 0))
            for (slot, value) in busy {
                waiting.slots[slot].append((value, entry))
                awaited.bitwiseOr(1 << UInt64(slot), ordering: .sequentiallyConsistent)
            }
            if waitsForCounted { waiting.counted.append(entry) }
        }
        // A reader that was leaving as its bit was set may have missed the bit while its leave was still on
        // its way here. So look again, long enough for nearly all; `sweep` sees to the rest.
        for _ in 0..<100 where !busy.isEmpty {
            busy.removeAll { slot, value in
                if word(slot) == value { return false }
                collect(slot)
                return true
            }
        }
        if waitsForCounted { collectCounted() }
    }

    /// Releases what waited for readers that have left and missed it.
    private func sweep() {
        var slots = awaited.load(ordering: .sequentiallyConsistent)
        while slots != 0 {
            let slot = slots.trailingZeroBitCount
            slots &= slots - 1
            // Those that wait are in the order of their values, so if any has left, the first one's has. (Two
            // writers at once may put theirs the wrong way round; those behind go when the first has left.)
            let first = waiting.withLock { $0.slots[slot].first?.value }
            if let first, first != word(slot) { collect(slot) }
        }
    }

    /// Releases what waited for no other reader than one of this slot that has left.
    private func collect(_ slot: Int) {
        // Handed out of the lock: here the last references go, and deinits run.
        let free: [[AnyObject & Sendable]] = waiting.withLock { waiting in
            let now = word(slot)
            let left = waiting.slots[slot].filter { $0.value != now }
            waiting.slots[slot].removeAll { $0.value != now }
            if waiting.slots[slot].isEmpty {
                awaited.bitwiseAnd(~(1 << UInt64(slot)), ordering: .sequentiallyConsistent)
            }
            return Self.released(left.map(\.entry))
        }
        _ = consume free
    }

    /// The same for the counted readers, when none is left.
    private func collectCounted() {
        let free: [[AnyObject & Sendable]] = waiting.withLock { waiting in
            guard counted.load(ordering: .sequentiallyConsistent) == 0 else { return [] }
            defer { waiting.counted = [] }
            return Self.released(waiting.counted)
        }
        _ = consume free
    }

    /// Counts one reader less for each entry, and returns the objects of those that wait for none any more.
    private static func released(_ entries: [Retired]) -> [[AnyObject & Sendable]] {
        entries.compactMap { entry in
            entry.readers -= 1
            return entry.readers == 0 ? entry.objects : nil
        }
    }

    /// A slot's value.
    private func word(_ slot: Int) -> UInt {
        // Slots are below slotCount, so the word is inside the allocation.
        unsafe slots[slot * Self.stride].load(ordering: .sequentiallyConsistent)
    }

    /// The slow way in: the home slot is taken, by an outer call of this thread or by another thread.
    @inline(never)
    private func enter(after home: Int) -> Ticket {
        for step in 1...Self.slotCount {
            let slot = (home + step) % Self.slotCount
            // `slot` is below slotCount, so the word is inside the allocation.
            let value = unsafe slots[slot * Self.stride].load(ordering: .relaxed)
            if value & 1 == 0,
                unsafe slots[slot * Self.stride].compareExchange(
                    expected: value, desired: value | 1, ordering: .sequentiallyConsistent
                ).exchanged
            {
                return Ticket(slot: slot, value: value &+ 2)
            }
        }
        counted.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return Ticket(slot: -1, value: 0)
    }

    @inline(never)
    private func leaveCounted() {
        counted.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        collectCounted()
    }

    /// The slot that this thread tries first: threads have stacks of their own, so the address of a local
    /// tells them apart without a system call. Only speed depends on it.
    @inline(__always)
    private static func home() -> Int {
        var local: UInt8 = 0
        // The address is taken as a number; nothing is read or written through it.
        let address = unsafe withUnsafeMutablePointer(to: &local) { UInt64(UInt(bitPattern: $0)) }
        return Int(((address >> 16) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }
}
