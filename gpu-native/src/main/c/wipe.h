/* Forgetting secrets. */
#ifndef SEALBOOK_WIPE_H
#define SEALBOOK_WIPE_H

#include <stddef.h>
#include <string.h>

/* Overwrites memory with zeros, which the compiler must not leave out. */
static inline void wipe(void *memory, size_t size) {
    memset(memory, 0, size);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

#endif
