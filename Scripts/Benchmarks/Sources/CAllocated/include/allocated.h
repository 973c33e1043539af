#include <stddef.h>

/// The number of heap bytes in use by the whole process, all threads included.
size_t allocated_bytes(void);
