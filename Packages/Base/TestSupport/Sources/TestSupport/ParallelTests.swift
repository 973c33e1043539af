import Foundation

// Limits how many tests run at once, in every test bundle that links TestSupport: two per core, unless the environment
// variable already has a value.
//
// Swift Testing 6.3 starts all tests at once. On a busy machine with two cores, hundreds of started tests then wait so
// long for a thread that requests exceed their time limits before they are sent. Swift Testing reads the variable
// before it starts the first test, so the loader of the bundle has to call this function.
#if canImport(Darwin)
@section("__DATA,__mod_init_func")
#else
@section(".init_array")
#endif
@used
let limitsParallelTests: @convention(c) () -> Void = {
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    _ = unsafe setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "\(2 * cores)", 0)
}
