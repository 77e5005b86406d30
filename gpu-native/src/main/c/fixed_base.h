/*
 * Multiples of the base point G for secret scalars: a table of windows without zero digits, each read as a whole, and
 * no doublings.
 *
 * For odd k let B = (k >> 1) + 2^(wm-1), w = 6 bits a window, m = 43 windows, and b(j) the j-th window of B. Then k =
 * sum of d(j) 2^(wj) with d(j) = 2 b(j) + 1 - 2^w, odd and below 2^w in magnitude. An even k is taken as -(n - k).
 * Window j holds i 2^(wj) G for i = 1, 3 .. 2^w - 1.
 *
 * No partial sum meets its next summand or the opposite of it: as integers they differ in their power of two, and
 * modulo n they may be equal only with the last window, for a handful of the 2^256 scalars. The sum has z = 0 then,
 * which the caller treats as a refused nonce.
 */
#ifndef SEALBOOK_FIXED_BASE_H
#define SEALBOOK_FIXED_BASE_H

#include "u256.h"

#define FIXED_BASE_BITS 6
#define FIXED_BASE_WINDOWS 43
#define FIXED_BASE_ENTRIES (1 << (FIXED_BASE_BITS - 1))

/* An affine point, coordinates as the curve's field holds them. */
typedef struct {
    _Alignas(64) u256 x;
    u256 y;
} fixed_base_entry;

/* (x / z^2, y / z^3). */
typedef struct {
    u256 x, y, z;
} fixed_base_point;

typedef fixed_base_entry fixed_base_window[FIXED_BASE_ENTRIES];

#endif
