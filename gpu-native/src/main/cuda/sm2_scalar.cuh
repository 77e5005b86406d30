/*
 * Integers modulo the order n of the SM2 curve (GB/T 32918.5), in plain form. n is above 2^255, so one subtraction
 * reduces any u256.
 */
#pragma once
#include "u256.cuh"

#define SM2_N                                                                                              \
    {                                                                                                      \
        { 0x39D54123, 0x53BBF409, 0x21C6052B, 0x7203DF6B, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFE } \
    }

/* Whether 1 <= a < n. */
FN bool sm2_scalar_is_valid(const u256 &a) {
    const u256 n = SM2_N;
    return u256_is_less(a, n) && !u256_is_zero(a);
}

/* a mod n, for any a. */
FN u256 sm2_scalar_reduce(const u256 &a) {
    const u256 n = SM2_N;
    u256 r;
    uint32_t is_less = u256_sub(r, a, n);
    return u256_select(is_less, a, r);
}

/* a + b mod n, for a and b below n. */
FN u256 sm2_scalar_add(const u256 &a, const u256 &b) {
    const u256 n = SM2_N;
    u256 sum, reduced;
    uint32_t carry = u256_add(sum, a, b);
    uint32_t is_less = u256_sub(reduced, sum, n);
    return u256_select(is_less & (carry - 1), sum, reduced);
}

/* a - b mod n, for a and b below n. */
FN u256 sm2_scalar_sub(const u256 &a, const u256 &b) {
    const u256 n = SM2_N;
    u256 difference, wrapped;
    uint32_t is_negative = u256_sub(difference, a, b);
    u256_add(wrapped, difference, n);
    return u256_select(is_negative, wrapped, difference);
}
