import Synchronization

/// One registration: the Api's type, the call site of the registration and, in the subclass, the builder.
///
/// `@unchecked`, because the compiler cannot check the Sendable conformance of a class that is not final.
/// This class and its only subclass hold constants of Sendable types alone.
class AnyApiBox: @unchecked Sendable {
    let type: Any.Type
    let site: CallSite
    /// Whether the registration has the scope `once`.
    let isOnce: Bool
    /// Whether the builder runs on the main actor, or may be one that does.
    let isOnMain: Bool
    /// The registration that this one has replaced, and to which a rollback returns; nil if this registration cannot be
    /// rolled back, or if there was none.
    let replaced = Locked<OverrideScope.Override?>(nil)

    init(type: Any.Type, site: CallSite, isOnce: Bool, isOnMain: Bool) {
        (self.type, self.site, self.isOnce, self.isOnMain) = (type, site, isOnce, isOnMain)
    }

    var key: ObjectIdentifier { ObjectIdentifier(type) }

    /// The Api's module-qualified name, such as `ModuleAApi.ModuleAApiProtocol`.
    var name: String { String(reflecting: type) }

    /// Runs the builder, and drops the IMP unless its scope keeps it.
    func buildAndDrop(_ center: ApiCenter) throws { preconditionFailure("every box is an ApiBox") }
}

/// The registration of the Api `T`. Its key is the identity of `T`, so a box found under that key can be
/// downcast unchecked.
final class ApiBox<T>: AnyApiBox, @unchecked Sendable {
    let build: ApiScope<T>.Builder

    init(scope: ApiScope<T>, site: CallSite, build: @escaping ApiScope<T>.Builder) {
        self.build = scope.wrap(build, site)
        super.init(type: T.self, site: site, isOnce: scope.isOnce, isOnMain: scope.isOnMain)
    }

    override func buildAndDrop(_ center: ApiCenter) throws { _ = try build(center) }
}

/// A hash table from an Api's identity to its box, with open addressing and lock-free reads.
///
/// The center's lock admits one writer at a time, while any number of threads read. A key never leaves its
/// slot, and removing an Api clears only the slot's box, so a reader never sees a key with the box of another
/// key. A full table is replaced by a larger copy, never resized in place.
///
/// The table owns a reference to each of its boxes.
///
/// Complexity: O(1) on average; at most about half of the slots hold a key.
@safe final class ApiTable: Sendable {
    @safe private struct Slot: ~Copyable {
        let key = Atomic<UInt>(0)
        let box = unsafe Atomic<Unmanaged<AnyApiBox>?>(nil)
    }

    private let mask: UInt
    private let keyCount = Atomic<Int>(0)

    // This object alone owns the memory, from init to deinit, and accesses it only through atomics.
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

    /// Creates a table of `boxes`, with room for at least as many more.
    init(_ boxes: [AnyApiBox] = []) {
        var capacity = 16
        while capacity < boxes.count * 4 { capacity *= 2 }
        mask = UInt(capacity - 1)
        unsafe slots = .allocate(capacity: capacity)
        // Every slot of the allocation is initialised here and deinitialised in deinit.
        for index in unsafe allSlots.indices { unsafe allSlots.initializeElement(at: index, to: Slot()) }
        for box in boxes { _ = exchange(box, for: box.key) }
    }

    deinit {
        // Releases the references that the slots own.
        for index in unsafe allSlots.indices { unsafe slots[index].box.load(ordering: .acquiring)?.release() }
        unsafe allSlots.deinitialize().deallocate()
    }

    /// The whole allocation.
    private var allSlots: UnsafeMutableBufferPointer<Slot> {
        unsafe UnsafeMutableBufferPointer(start: slots, count: Int(mask) + 1)
    }

    var isFull: Bool { keyCount.load(ordering: .relaxed) > Int(mask) / 2 }

    /// The box under `key`, not retained. The box stays alive only while the caller is an announced reader
    /// (see ``Readers``) or the writer.
    @inline(__always)
    func box(_ key: ObjectIdentifier) -> Unmanaged<AnyApiBox>? {
        let key = UInt(bitPattern: key)
        var index = Self.hash(key) & mask
        while true {
            // The index is masked, so it is inside the allocation.
            let found = unsafe slots[Int(index)].key.load(ordering: .acquiring)
            if found == key {
                // Ordering 2 of 5 (see ``Readers``): with a weaker load, a reader could still load the old box after
                // a writer had replaced it and found the reader's announcement slot free.
                return unsafe slots[Int(index)].box.load(ordering: .sequentiallyConsistent)
            }
            if found == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// The box under `key`. Only the writer may call this.
    func retainedBox(_ key: ObjectIdentifier) -> AnyApiBox? {
        // Only the writer removes boxes, so the box is alive here.
        unsafe box(key)?.takeUnretainedValue()
    }

    /// Stores `box` under `key`, or clears the key if `box` is nil, and returns the previous box. Only the
    /// writer may call this.
    func exchange(_ box: AnyApiBox?, for key: ObjectIdentifier) -> AnyApiBox? {
        let key = UInt(bitPattern: key)
        // The slot takes over the reference to the new box, and the caller gets the reference to the previous
        // box.
        let box = unsafe box.map { unsafe Unmanaged.passRetained($0) }
        var index = Self.hash(key) & mask
        while true {
            // The index is masked, so it is inside the allocation.
            let found = unsafe slots[Int(index)].key.load(ordering: .relaxed)
            if found == key {
                // Ordering 3 of 5 (see ``Readers``): with a weaker exchange, the writer's subsequent scan of the
                // readers' slots could be reordered before the exchange, and so miss a reader that announces itself
                // in between and loads the old box.
                let old = unsafe slots[Int(index)].box.exchange(box, ordering: .sequentiallyConsistent)
                return unsafe old?.takeRetainedValue()
            }
            if found == 0 {
                guard unsafe box != nil else { return nil }
                // The box is stored before the key, so that a reader that sees the key also sees the box.
                unsafe slots[Int(index)].box.store(box, ordering: .sequentiallyConsistent)
                unsafe slots[Int(index)].key.store(key, ordering: .releasing)
                keyCount.wrappingAdd(1, ordering: .relaxed)
                return nil
            }
            index = (index &+ 1) & mask
        }
    }

    /// Every box in the table. Only the writer may use this.
    var boxes: [AnyApiBox] {
        // The indices 0...mask span the allocation, and the table keeps its boxes alive.
        (0...Int(mask)).compactMap { unsafe slots[$0].box.load(ordering: .acquiring)?.takeUnretainedValue() }
    }

    /// Fibonacci hashing. The low bits of all addresses are equal, so the hash uses the upper half of the
    /// product.
    @inline(__always)
    private static func hash(_ key: UInt) -> UInt {
        UInt(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}

/// An atomic, owning reference to the table that readers use.
@safe struct CurrentTable: ~Copyable, Sendable {
    private let table = unsafe Atomic(Unmanaged.passRetained(ApiTable()))

    deinit { unsafe table.load(ordering: .acquiring).release() }

    /// The box under `key`, not retained. The box stays alive only while the caller is an announced reader.
    @inline(__always)
    func box(_ key: ObjectIdentifier) -> Unmanaged<AnyApiBox>? {
        // A replaced table is retired like a box, so the table too stays alive while the caller is announced.
        // This load needs ordering 2 of 5, like the load of a box.
        unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { unsafe $0.box(key) }
    }

    /// The table itself. Only the writer may use this.
    var value: ApiTable {
        // Only the writer replaces the table, so the table is alive here.
        unsafe table.load(ordering: .relaxed).takeUnretainedValue()
    }

    /// Replaces the table and returns the old one, which the caller must retire. Only the writer may call
    /// this.
    func replace(with new: ApiTable) -> ApiTable {
        // The caller takes over the reference to the old table. This exchange needs ordering 3 of 5, like the
        // exchange of a box.
        unsafe table.exchange(Unmanaged.passRetained(new), ordering: .sequentiallyConsistent)
            .takeRetainedValue()
    }
}
