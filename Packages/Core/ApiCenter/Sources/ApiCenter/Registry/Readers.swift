import Synchronization

/// Tracks which calls are reading the table, so that a removed object is freed only when no call can still
/// use it.
///
/// A reader announces itself in a slot before its lookup and leaves the slot afterwards. A writer first
/// unlinks an object, so that later readers cannot find the object, and then retires it: the writer records the
/// readers that are announced at that moment, and the object is released when all of these readers have left.
///
/// - A reader pays one compare-and-swap when it enters, on a slot that no other thread normally uses, and one
///   plain store when it leaves. (The address of a thread's stack selects its slot, and padding gives every
///   slot its own cache lines.)
/// - The value of a slot is odd while the slot is taken, and never repeats (it has 64 bits on every platform),
///   so the slot's next reader is not mistaken for the reader that a writer waits for.
/// - Safety rests on five orderings. The reader (1) announces itself, then (2) loads the pointer; the writer (3)
///   replaces the pointer, then (4) loads the slots. These four are sequentially consistent, so if the writer
///   misses a reader's announcement, this reader is certain to load the new pointer. The reader (5) leaves with
///   a releasing store, after which the writer may free the box. A comment at each ordering names the race that it
///   prevents. All five were found to be necessary in the memory model of C++ as compiled for ARM (RC11). The loads
///   and stores of (2) and (3) are in ``ApiTable``.
/// - A leaving reader frees the objects that wait for no other reader. Leaving is a plain store, so the
///   reader and the writer occasionally miss each other: the reader does not see that an object waits, and the
///   writer does not see that the reader has left. An object missed in this way is freed by a later retirement,
///   or by the next reader of the slot.
/// - When concurrent and nested calls occupy every slot, further readers are counted in one shared word,
///   which is slower but equally safe. A reader that is nested so deeply that its stack is half used is
///   counted too, so that the center notices the depth (see ``BuildChain``).
///
/// All operations are thread-safe. Objects are released outside the lock, so their deinit may use the center.
@safe struct Readers: ~Copyable, Sendable {
    static let slotCount = 64
    /// The number of words per slot. 16 words are 128 bytes, the prefetch unit of current processors.
    private static let stride = 16

    /// The slot that a reader took, and the value to store in the slot when the reader leaves. A reader without a
    /// slot is counted instead.
    struct Ticket {
        /// The slots of readers without one: because none is free, or because the reader is nested deeply.
        static let none = -1, deep = -2

        let slot: Int, value: UInt64
        /// Whether half of the thread's stack is used.
        var isDeep: Bool { slot == Self.deep }
    }

    /// Unlinked objects that wait for the readers that were announced when the objects were retired.
    private final class Retired {
        let objects: [AnyObject & Sendable]
        /// The number of readers that the objects still wait for.
        var readers: Int

        init(_ objects: [AnyObject & Sendable], readers: Int) {
            (self.objects, self.readers) = (objects, readers)
        }
    }

    /// The retired objects, grouped by the readers that they wait for.
    private struct Waiting {
        /// For each slot, the objects that wait for a reader of the slot. `value` is the value that the slot
        /// holds until this reader leaves.
        var slots: [[(value: UInt64, entry: Retired)]] = Array(repeating: [], count: slotCount)
        /// The objects that wait for the readers without a slot.
        var counted: [Retired] = []
    }

    // This value alone owns the memory, from init to deinit, and accesses it only through atomics.
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Atomic<UInt64>>
    private let counted = Atomic<Int>(0)
    private let waiting = Locked(Waiting())
    /// One bit per slot: whether an object waits for the slot's reader. The reader checks the bit when it
    /// leaves.
    private let awaited = Atomic<UInt64>(0)

    init() {
        unsafe slots = .allocate(capacity: Self.slotCount * Self.stride)
        // All words of the allocation are initialised here, and deinitialised in deinit.
        for index in unsafe words.indices { unsafe words.initializeElement(at: index, to: Atomic(0)) }
    }

    deinit { unsafe words.deinitialize().deallocate() }

    /// The whole allocation.
    private var words: UnsafeMutableBufferPointer<Atomic<UInt64>> {
        unsafe UnsafeMutableBufferPointer(start: slots, count: Self.slotCount * Self.stride)
    }

    /// Announces a reader. Objects that the reader finds from now on stay alive until the reader leaves.
    @inline(__always)
    func enter() -> Ticket {
        let home = Self.home()
        return take(home) ?? enter(after: home)
    }

    /// Takes a slot, unless another reader holds the slot.
    @inline(__always)
    private func take(_ slot: Int) -> Ticket? {
        // `slot` is below slotCount, so the word is inside the allocation.
        let value = unsafe slots[slot &* Self.stride].load(ordering: .relaxed)
        guard value & 1 == 0 else { return nil }
        // Ordering 1 of 5: with a weaker exchange, the reader's load of the pointer could come before the
        // announcement is visible. A writer in between would find the slot free, and free the box that the
        // reader is about to use.
        let isTaken = unsafe slots[slot &* Self.stride].compareExchange(
            expected: value, desired: value | 1, ordering: .sequentiallyConsistent
        ).exchanged
        return isTaken ? Ticket(slot: slot, value: value &+ 2) : nil
    }

    /// Ends the announcement of a reader. Must be called exactly once for every ``enter()``.
    @inline(__always)
    func leave(_ ticket: Ticket) {
        guard ticket.slot >= 0 else { return leaveCounted() }
        // Ordering 5 of 5: with a weaker store, a writer could see the reader leave before the reader's last use of
        // the box, and free the box too early.
        // The slot came from `enter`, so the word is inside the allocation.
        unsafe slots[ticket.slot &* Self.stride].store(ticket.value, ordering: .releasing)
        if awaited.load(ordering: .relaxed) & (1 << UInt64(ticket.slot)) != 0 { collect(ticket.slot) }
    }

    /// Releases `objects`, which no new reader can find, as soon as every reader that may use them has left.
    /// The call begins by releasing previously retired objects whose readers have left.
    ///
    /// Complexity: O(1) regardless of the number of waiting objects, plus the cost of the releases.
    func retire(_ objects: [AnyObject & Sendable]) {
        sweep()
        var busy: [(slot: Int, value: UInt64)] = []
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
        // A reader that left while its bit was being set may have missed the bit, and its store may not have
        // been visible here yet. Checking again up to 100 times catches nearly all of these readers;
        // `sweep` handles the rest.
        for _ in 0..<100 where !busy.isEmpty {
            busy.removeAll { slot, value in
                if word(slot) == value { return false }
                collect(slot)
                return true
            }
        }
        if waitsForCounted { collectCounted() }
    }

    /// Releases the objects whose readers left without seeing their bit in `awaited`.
    private func sweep() {
        var slots = awaited.load(ordering: .sequentiallyConsistent)
        while slots != 0 {
            collect(slots.trailingZeroBitCount)
            slots &= slots - 1
        }
    }

    /// Removes the entries of readers that have left this slot, and releases the objects that wait for no
    /// other reader.
    private func collect(_ slot: Int) {
        // The closure returns the objects instead of releasing them, so that no deinit runs under the lock.
        let free: [[AnyObject & Sendable]] = waiting.withLock { waiting in
            let now = word(slot)
            // The entries are sorted by value, so if the first entry's reader has not left, none has. (Two concurrent
            // writers may append out of order. Then the others wait until the first entry's reader leaves, too.)
            if waiting.slots[slot].first?.value == now { return [] }
            let left = waiting.slots[slot].filter { $0.value != now }
            waiting.slots[slot].removeAll { $0.value != now }
            if waiting.slots[slot].isEmpty {
                awaited.bitwiseAnd(~(1 << UInt64(slot)), ordering: .sequentiallyConsistent)
            }
            return Self.released(left.map(\.entry))
        }
        _ = consume free
    }

    /// Releases the objects that waited for the counted readers, once there are no counted readers.
    private func collectCounted() {
        let free: [[AnyObject & Sendable]] = waiting.withLock { waiting in
            guard counted.load(ordering: .sequentiallyConsistent) == 0 else { return [] }
            defer { waiting.counted = [] }
            return Self.released(waiting.counted)
        }
        _ = consume free
    }

    /// Decrements the reader count of each entry, and returns the objects of the entries that reach zero.
    private static func released(_ entries: [Retired]) -> [[AnyObject & Sendable]] {
        entries.compactMap { entry in
            entry.readers -= 1
            return entry.readers == 0 ? entry.objects : nil
        }
    }

    /// The current value of a slot.
    private func word(_ slot: Int) -> UInt64 {
        // Ordering 4 of 5: with a weaker load, the writer could read the slot before its own replacement of the
        // pointer is visible, and miss a reader that still gets the old pointer. The load also
        // synchronises with the releasing store of a reader that has left.
        // Slots are below slotCount, so the word is inside the allocation.
        unsafe slots[slot * Self.stride].load(ordering: .sequentiallyConsistent)
    }

    /// The slow path of ``enter()``, for when an outer call of this thread or another thread has taken the home
    /// slot.
    @inline(never)
    private func enter(after home: Int) -> Ticket {
        let isDeep = ThreadStack.isHalfUsed
        if !isDeep {
            for step in 1...Self.slotCount {
                if let ticket = take((home + step) % Self.slotCount) { return ticket }
            }
        }
        // Orderings 1 and 5, for readers without a slot: this counter takes the place of their slots.
        counted.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return Ticket(slot: isDeep ? Ticket.deep : Ticket.none, value: 0)
    }

    @inline(never)
    private func leaveCounted() {
        counted.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        collectCounted()
    }

    /// The slot that the calling thread tries first. Every thread has its own stack, so the address of a
    /// local variable distinguishes threads without a system call. All calls in 128 KB of a stack have the same slot, so
    /// the nested ones take the slow path, which notices a deep stack.
    @inline(__always)
    private static func home() -> Int {
        var local: UInt8 = 0
        // The address is taken as a number; nothing is read or written through it.
        let address = unsafe withUnsafeMutablePointer(to: &local) { UInt64(UInt(bitPattern: $0)) }
        return Int(((address >> 17) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }
}
