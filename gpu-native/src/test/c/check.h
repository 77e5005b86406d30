/* What a C test needs: claims that are counted and reported, and numbers from a seed. */
#ifndef SEALBOOK_CHECK_H
#define SEALBOOK_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "u256.h"

static int check_count, check_failure_count;

/* Counts a claim; prints the first failures. */
#define CHECK(claim)                                                                   \
    do {                                                                               \
        check_count++;                                                                 \
        if (!(claim) && check_failure_count++ < 20) {                                  \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #claim); \
        }                                                                              \
    } while (0)

/* The exit status of a program that has checked nothing: NativeCodeTest records a skip, its output is the reason. */
#define CHECK_SKIPPED 77

/* The exit status of main. */
static inline int check_result(void) {
    printf("%d checks, %d failures\n", check_count, check_failure_count);
    return check_failure_count == 0 && check_count > 0 ? 0 : 1;
}

static uint64_t check_random_state = 0x9E3779B97F4A7C15;

/* xorshift64*, from the seed above. */
static inline uint64_t check_random(void) {
    check_random_state ^= check_random_state >> 12;
    check_random_state ^= check_random_state << 25;
    check_random_state ^= check_random_state >> 27;
    return check_random_state * 0x2545F4914F6CDD1D;
}

/* A number below the modulus, often with limbs at their edges. The modulus is at least 2^255. */
static inline void check_random_below(u256 *r, const u256 *modulus) {
    do {
        for (int i = 0; i < 4; i++) {
            uint64_t choice = check_random() % 8;
            r->w[i] = choice == 0 ? 0 : choice == 1 ? ~(uint64_t)0 : check_random();
        }
    } while (!u256_is_less(r, modulus));
}

/* r = a number written in 64 hexadecimal digits. */
static inline void check_from_hex(u256 *r, const char *hex) {
    for (int i = 0; i < 4; i++) {
        char limb[17] = {0};
        memcpy(limb, hex + 16 * (3 - i), 16);
        sscanf(limb, "%" SCNx64, &r->w[i]);
    }
}

/* r = a b mod m by doubling and adding, for a, b < m: slow, and shares nothing with what it checks but u256_add_mod. */
static inline void check_mul_mod(u256 *r, const u256 *a, const u256 *b, const u256 *m) {
    u256 sum = {{0}};
    for (int bit = 255; bit >= 0; bit--) {
        u256_add_mod(&sum, &sum, &sum, m);
        if (b->w[bit / 64] >> bit % 64 & 1) {
            u256_add_mod(&sum, &sum, a, m);
        }
    }
    *r = sum;
}

#endif
