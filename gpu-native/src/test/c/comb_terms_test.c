/* Terms in lanes are those of one scalar at a time, and these name entries whose digits add up to the scalar. */
#include "check.h"
#include "comb_terms.h"
#include "cpu.h"
#include "scalar.h"

#define STRIDE 16

/* A table that no memory stands for: only its address is computed with. */
static const uint64_t table = (uint64_t)1 << 40;

/* Adds up what the terms of one scalar mean, sum of +-(2 entry + 1) 2^(bits window), mod n. */
static void sum_of(u256 *sum, const uint64_t *terms, const u256 *n, int bits) {
    *sum = (u256){{0}};
    for (int j = signed_windows_count(bits) - 1; j >= 0; j--) {
        for (int i = 0; i < bits; i++) {
            u256_add_mod(sum, sum, sum, n);
        }
        uint64_t entry = ((terms[j * STRIDE] & ~(uint64_t)1) - table) / COMB_ENTRY_SIZE - ((uint64_t)j << (bits - 1));
        CHECK(entry < (uint64_t)1 << (bits - 1));
        u256 digit = {{2 * entry + 1, 0, 0, 0}};
        if (terms[j * STRIDE] & 1) {
            u256_sub_mod(sum, sum, &digit, n);
        } else {
            u256_add_mod(sum, sum, &digit, n);
        }
    }
}

static void check_terms(const u256 *const k[8], const u256 *n, int bits) {
    static uint64_t one_by_one[STRIDE * 128], in_lanes[STRIDE * 128];
    uint64_t tables[8];
    for (int lane = 0; lane < 8; lane++) {
        u256 sum;
        tables[lane] = table;
        comb_terms_of(one_by_one + lane, STRIDE, k[lane], table, n, bits);
        sum_of(&sum, one_by_one + lane, n, bits);
        CHECK(u256_is_equal(&sum, k[lane]));
    }
    if (cpu_has_avx512_ifma()) {
        memset(in_lanes, 0, sizeof in_lanes);
        comb_terms_of_8(in_lanes, STRIDE, k, tables, n, bits);
        for (int j = 0; j < signed_windows_count(bits); j++) {
            CHECK(memcmp(in_lanes + j * STRIDE, one_by_one + j * STRIDE, 8 * sizeof *in_lanes) == 0);
        }
    }
}

int main(void) {
    const u256 *const orders[] = {&sm2_order.n.m, &secp256k1_order.n.m};
    for (int o = 0; o < 2; o++) {
        for (int round = 0; round < 200; round++) {
            u256 scalars[8];
            const u256 *k[8];
            for (int lane = 0; lane < 8; lane++) {
                do {
                    check_random_below(&scalars[lane], orders[o]);
                    if (check_random() % 4 == 0) {
                        scalars[lane] = (u256){{1 + check_random() % 8, 0, 0, 0}};
                    }
                    if (check_random() % 4 == 0) {
                        u256_sub(&scalars[lane], orders[o], &scalars[lane]);
                    }
                } while (u256_is_zero(&scalars[lane]) || !u256_is_less(&scalars[lane], orders[o]));
                k[lane] = &scalars[lane];
            }
            check_terms(k, orders[o], 2 + round % 15);
        }
    }
    return check_result();
}
