/*
 * Marks for tests under valgrind: secrets are marked undefined there, so that a branch or an address that
 * depends on one is reported. What has become public by then is marked defined again; in every other build nothing
 * happens.
 */
#ifndef SEALBOOK_SECRETS_H
#define SEALBOOK_SECRETS_H

#ifdef SEALBOOK_MEMCHECK
#include <valgrind/memcheck.h>
#define SECRET_IS_PUBLIC(memory, size) VALGRIND_MAKE_MEM_DEFINED(memory, size)
#else
#define SECRET_IS_PUBLIC(memory, size) ((void)(memory), (void)(size))
#endif

#endif
