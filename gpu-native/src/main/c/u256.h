/*
 * 256-bit numbers: four 64-bit limbs, lowest first, value = sum of w[i] * 2^(64 i).
 *
 * Nothing here branches on a value or indexes memory by one, except functions whose names end in _var.
 * Pointers may be equal unless a contract says otherwise.
 */
#ifndef SEALBOOK_U256_H
#define SEALBOOK_U256_H

#include <stdint.h>

typedef struct {
    uint64_t w[4];
} u256;

typedef unsigned __int128 u128;

/* Returns a + b + *carry mod 2^64; *carry, 0 or 1, becomes the carry out. */
static inline uint64_t u64_add(uint64_t a, uint64_t b, uint64_t *carry) {
    u128 t = (u128)a + b + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

/* Returns a - b - *borrow mod 2^64; *borrow, 0 or 1, becomes the borrow out. */
static inline uint64_t u64_sub(uint64_t a, uint64_t b, uint64_t *borrow) {
    u128 t = (u128)a - b - *borrow;
    *borrow = (uint64_t)(t >> 64) & 1;
    return (uint64_t)t;
}

/* Returns the low half of a * b + c + *carry, which never exceeds 128 bits; *carry becomes the high half. */
static inline uint64_t u64_mul_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry) {
    u128 t = (u128)a * b + c + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

/*
 * r = a + b mod 2^256; returns the carry.
 *
 * Carry chains are written in assembly where we know it, because gcc before 13 moves every carry through a register.
 */
static inline uint64_t u256_add(u256 *r, const u256 *a, const u256 *b) {
#ifdef __x86_64__
    uint64_t w0 = a->w[0], w1 = a->w[1], w2 = a->w[2], w3 = a->w[3], carry;
    __asm__("addq %5, %0\n\tadcq %6, %1\n\tadcq %7, %2\n\tadcq %8, %3\n\tsbbq %4, %4"
            : "+&r"(w0), "+&r"(w1), "+&r"(w2), "+&r"(w3), "=&r"(carry)
            : "rm"(b->w[0]), "rm"(b->w[1]), "rm"(b->w[2]), "rm"(b->w[3])
            : "cc");
    *r = (u256){{w0, w1, w2, w3}};
    return 0 - carry;
#else
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        r->w[i] = u64_add(a->w[i], b->w[i], &carry);
    }
    return carry;
#endif
}

/* r = a - b mod 2^256; returns the borrow. */
static inline uint64_t u256_sub(u256 *r, const u256 *a, const u256 *b) {
#ifdef __x86_64__
    uint64_t w0 = a->w[0], w1 = a->w[1], w2 = a->w[2], w3 = a->w[3], borrow;
    __asm__("subq %5, %0\n\tsbbq %6, %1\n\tsbbq %7, %2\n\tsbbq %8, %3\n\tsbbq %4, %4"
            : "+&r"(w0), "+&r"(w1), "+&r"(w2), "+&r"(w3), "=&r"(borrow)
            : "rm"(b->w[0]), "rm"(b->w[1]), "rm"(b->w[2]), "rm"(b->w[3])
            : "cc");
    *r = (u256){{w0, w1, w2, w3}};
    return 0 - borrow;
#else
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        r->w[i] = u64_sub(a->w[i], b->w[i], &borrow);
    }
    return borrow;
#endif
}

/* Returns all ones when bit is 1, zero when it is 0. The compiler does not learn that there are only two cases. */
static inline uint64_t u64_mask(uint64_t bit) {
    __asm__("" : "+r"(bit));
    return 0 - bit;
}

/* r = mask is all ones ? a : b; mask is all ones or zero. */
static inline void u256_select(u256 *r, uint64_t mask, const u256 *a, const u256 *b) {
    for (int i = 0; i < 4; i++) {
        r->w[i] = b->w[i] ^ (mask & (a->w[i] ^ b->w[i]));
    }
}

/* r = a + b mod m, for a, b < m. */
static inline void u256_add_mod(u256 *r, const u256 *a, const u256 *b, const u256 *m) {
    u256 sum, reduced;
    uint64_t carry = u256_add(&sum, a, b);
    uint64_t borrow = u256_sub(&reduced, &sum, m);
    u256_select(r, u64_mask(borrow & (carry ^ 1)), &sum, &reduced);
}

/* r = a - b mod m, for a, b < m. */
static inline void u256_sub_mod(u256 *r, const u256 *a, const u256 *b, const u256 *m) {
    u256 difference, corrected;
    uint64_t borrow = u256_sub(&difference, a, b);
    u256_add(&corrected, &difference, m);
    u256_select(r, u64_mask(borrow), &corrected, &difference);
}

/* r = a mod m, for a < 2 m. */
static inline void u256_reduce_once(u256 *r, const u256 *a, const u256 *m) {
    u256 reduced;
    uint64_t borrow = u256_sub(&reduced, a, m);
    u256_select(r, u64_mask(borrow), a, &reduced);
}

/* Returns 1 when a = 0, else 0. */
static inline uint64_t u256_is_zero(const u256 *a) {
    uint64_t any = a->w[0] | a->w[1] | a->w[2] | a->w[3];
    return ((any | (0 - any)) >> 63) ^ 1;
}

/* Returns 1 when a = b, else 0. */
static inline uint64_t u256_is_equal(const u256 *a, const u256 *b) {
    u256 difference;
    for (int i = 0; i < 4; i++) {
        difference.w[i] = a->w[i] ^ b->w[i];
    }
    return u256_is_zero(&difference);
}

/* Returns 1 when a < b, else 0. */
static inline uint64_t u256_is_less(const u256 *a, const u256 *b) {
    u256 difference;
    return u256_sub(&difference, a, b);
}

/* r = the number that 32 big-endian bytes write. */
static inline void u256_from_bytes(u256 *r, const uint8_t bytes[32]) {
    for (int i = 0; i < 4; i++) {
        uint64_t limb = 0;
        for (int j = 0; j < 8; j++) {
            limb = limb << 8 | bytes[8 * (3 - i) + j];
        }
        r->w[i] = limb;
    }
}

/* Writes a as 32 big-endian bytes. */
static inline void u256_to_bytes(uint8_t bytes[32], const u256 *a) {
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 8; j++) {
            bytes[8 * (3 - i) + j] = (uint8_t)(a->w[i] >> (56 - 8 * j));
        }
    }
}

#endif
