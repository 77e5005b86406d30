/*
 * Writing a scalar in windows without zero digits.
 *
 * With windows of w bits, m = ceil(256 / w) of them, and k odd, let B = (k >> 1) + 2^(wm-1) and b(j) the j-th window of
 * B. Then k = sum of d(j) 2^(wj) with d(j) = 2 b(j) + 1 - 2^w: every digit is odd, and below 2^w in magnitude. For an
 * even k the digits are those of n - k with opposite signs, which is the same multiple of any point of order n.
 */
#ifndef SEALBOOK_SIGNED_WINDOWS_H
#define SEALBOOK_SIGNED_WINDOWS_H

#include "u256.h"

/* B, with a limb of zeros for a last window to read beyond it, and whether all digits change their signs. */
typedef struct {
    uint64_t w[6];
    uint64_t is_negated;
} signed_windows;

/* Returns m, for 2 <= bits <= 16. */
static inline int signed_windows_count(int bits) {
    return (256 + bits - 1) / bits;
}

/* Recodes an odd k < 2^(bits count) in count windows, the opposite of k where is_negated is 1. */
static inline void signed_windows_of_odd(signed_windows *r, const u256 *k, uint64_t is_negated, int bits, int count) {
    r->is_negated = is_negated;
    for (int i = 0; i < 3; i++) {
        r->w[i] = k->w[i] >> 1 | k->w[i + 1] << 63;
    }
    r->w[3] = k->w[3] >> 1;
    r->w[4] = 0;
    r->w[5] = 0;
    int bias_bit = bits * count - 1;
    r->w[bias_bit / 64] |= (uint64_t)1 << bias_bit % 64;
}

/* Recodes 1 <= k < n. */
static inline void signed_windows_of(signed_windows *r, const u256 *k, const u256 *n, int bits) {
    u256 opposite, odd;
    u256_sub(&opposite, n, k);
    uint64_t is_negated = (k->w[0] & 1) ^ 1;
    u256_select(&odd, u64_mask(is_negated), &opposite, k);
    signed_windows_of_odd(r, &odd, is_negated, bits, signed_windows_count(bits));
}

/* Returns b(j). */
static inline unsigned signed_windows_bits(const signed_windows *a, int j, int bits) {
    int bit = j * bits;
    uint64_t low = a->w[bit / 64] >> bit % 64;
    uint64_t high = a->w[bit / 64 + 1] << 1 << (63 - bit % 64);
    return (unsigned)((low | high) & (((uint64_t)1 << bits) - 1));
}

/* Returns d(j), sign included. */
static inline int signed_windows_digit(const signed_windows *a, int j, int bits) {
    int digit = 2 * (int)signed_windows_bits(a, j, bits) + 1 - (1 << bits);
    return a->is_negated ? -digit : digit;
}

#endif
