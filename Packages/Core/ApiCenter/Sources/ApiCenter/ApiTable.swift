import Synchronization

/// The map from an Api's identity to its box: open addressing, read without a lock.
///
/// One writer at a time (the center's lock sees to it); any number of readers. A key, once in its slot,
/// stays there; removing an Api empties the slot's box. So a reader never sees a key with another key's box.
/// A full table is replaced by a larger copy, never resized in place.
///
/// The table owns a reference to each box in it.
///
/// Complexity: O(1) on average; about half of the slots hold a key at most.
@safe final class ApiTable: Sendable {
    @safe private struct Slot: ~Copyable {
        let key = Atomic<UInt>(0)
        let box = unsafe Atomic<Unmanaged<AnyApiBox>?>(nil)
    }

    private let mask: UInt
    private let keyCount = Atomic<Int>(0)

    // This object's alone from init to deinit, and touched through atomics only.
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

    /// A table of `boxes`, with room for as many again, and some.
    init(_ boxes: [AnyApiBox] = []) {
        var capacity = 16
        while capacity < boxes.count * 4 { capacity *= 2 }
        mask = UInt(capacity - 1)
        unsafe slots = .allocate(capacity: capacity)
        // Every slot of the allocation is initialised here and deinitialised in deinit.
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot()) }
        for box in boxes { _ = exchange(box, for: box.key) }
    }

    deinit {
        // The references that the slots own end with the table.
        for index in 0...Int(mask) { unsafe slots[index].box.load(ordering: .acquiring)?.release() }
        unsafe slots.deinitialize(count: Int(mask) + 1)
        unsafe slots.deallocate()
    }

    var isFull: Bool { keyCount.load(ordering: .relaxed) > Int(mask) / 2 }

    /// The box under `key`, not retained: alive only as long as the caller is an announced reader, or the
    /// writer.
    @inline(__always)
    func box(_ key: ObjectIdentifier) -> Unmanaged<AnyApiBox>? {
        let key = UInt(bitPattern: key)
        var index = Self.hash(key) & mask
        while true {
            // The index is masked, so it is inside the allocation.
            let found = unsafe slots[Int(index)].key.load(ordering: .acquiring)
            if found == key { return unsafe slots[Int(index)].box.load(ordering: .sequentiallyConsistent) }
            if found == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// The box under `key`. For the writer alone.
    func retainedBox(_ key: ObjectIdentifier) -> AnyApiBox? {
        // The writer alone takes boxes out, so this one is alive.
        unsafe box(key)?.takeUnretainedValue()
    }

    /// Puts `box`, or nothing, under `key` and returns what was there. For the writer alone.
    func exchange(_ box: AnyApiBox?, for key: ObjectIdentifier) -> AnyApiBox? {
        let key = UInt(bitPattern: key)
        // The slot owns the reference made here, and gives up the one it had.
        let box = unsafe box.map { unsafe Unmanaged.passRetained($0) }
        var index = Self.hash(key) & mask
        while true {
            // The index is masked, so it is inside the allocation.
            let found = unsafe slots[Int(index)].key.load(ordering: .relaxed)
            if found == key {
                let old = unsafe slots[Int(index)].box.exchange(box, ordering: .sequentiallyConsistent)
                return unsafe old?.takeRetainedValue()
            }
            if found == 0 {
                guard unsafe box != nil else { return nil }
                // The box first: a reader that sees the key sees its box.
                unsafe slots[Int(index)].box.store(box, ordering: .sequentiallyConsistent)
                unsafe slots[Int(index)].key.store(key, ordering: .releasing)
                keyCount.wrappingAdd(1, ordering: .relaxed)
                return nil
            }
            index = (index &+ 1) & mask
        }
    }

    /// Every box in the table. For the writer alone.
    var boxes: [AnyApiBox] {
        // 0 to the mask is the allocation; the table holds what its slots point to.
        (0...Int(mask)).compactMap { unsafe slots[$0].box.load(ordering: .acquiring)?.takeUnretainedValue() }
    }

    /// Fibonacci hashing: addresses share their low bits, but not the high ones of the product.
    @inline(__always)
    private static func hash(_ key: UInt) -> UInt {
        UInt(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}

/// The table that readers find. Owns a reference to it.
@safe struct CurrentTable: ~Copyable, Sendable {
    private let table = unsafe Atomic(Unmanaged.passRetained(ApiTable()))

    deinit { unsafe table.load(ordering: .acquiring).release() }

    /// The box under `key`, not retained: alive only as long as the caller is an announced reader.
    @inline(__always)
    func box(_ key: ObjectIdentifier) -> Unmanaged<AnyApiBox>? {
        // A table is retired like a box, so it too outlives the caller's announcement.
        unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { unsafe $0.box(key) }
    }

    /// The table itself. For the writer alone.
    var value: ApiTable {
        // Only the writer replaces it, so it is alive here.
        unsafe table.load(ordering: .relaxed).takeUnretainedValue()
    }

    /// Puts another table in its place and returns the old one, which is to be retired. For the writer alone.
    func replace(with new: ApiTable) -> ApiTable {
        // The reference to the old one passes to the caller.
        unsafe table.exchange(Unmanaged.passRetained(new), ordering: .sequentiallyConsistent)
            .takeRetainedValue()
    }
}
