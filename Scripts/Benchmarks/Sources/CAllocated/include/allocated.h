#include <stddef.h>

/// How many bytes of the heap are in use. All threads' count.
size_t allocated_bytes(void);
