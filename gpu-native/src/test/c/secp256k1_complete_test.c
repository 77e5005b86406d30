/* Sums by complete formulas, where points meet all the time: the terms are small multiples of G, of either sign. */
#include "secp256k1_fixture.h"

#define MULTIPLES 5
#define SUMS 16
#define ROUNDS 300

static secp256k1_fixture fixture;
static secp256k1_affine *multiples;
/* m G for all m that a sum can be. */
static secp256k1_affine expected_sums[SECP256K1_SUM_TERMS * MULTIPLES + 1];

static void make_multiples(void) {
    static const u256 zero;
    for (uint64_t m = 1; m <= SECP256K1_SUM_TERMS * MULTIPLES; m++) {
        u256 scalar = {{m, 0, 0, 0}};
        CHECK(secp256k1_group_portable.multiply_add_var(
                &expected_sums[m], &zero, &scalar, &secp256k1_generator, fixture.generator));
    }
    multiples = aligned_alloc(64, MULTIPLES * sizeof *multiples);
    memcpy(multiples, expected_sums + 1, MULTIPLES * sizeof *multiples);
}

/* Writes the terms of a sum, which are often what has been added up before, and returns its multiple of G. */
static int make_sum(uint64_t *terms) {
    int sum = 0;
    for (int k = 0; k < SECP256K1_SUM_TERMS; k++) {
        int m = 1 + (int)(check_random() % MULTIPLES), is_negative = (int)(check_random() % 2);
        int before = sum < 0 ? -sum : sum;
        if (check_random() % 2 && before >= 1 && before <= MULTIPLES) {
            m = before;
        }
        terms[k * SUMS] = (uint64_t)(uintptr_t)&multiples[m - 1] | (uint64_t)is_negative;
        sum += is_negative ? -m : m;
    }
    return sum;
}

static void should_sum_whatever_meets(const secp256k1_group *group) {
    static uint64_t terms[SECP256K1_SUM_TERMS * SUMS];
    for (int round = 0; round < ROUNDS; round++) {
        secp256k1_affine sums[SUMS];
        uint8_t states[SUMS];
        int expected[SUMS], indices[SUMS], count = 1 + round % SUMS;
        for (int i = 0; i < SUMS; i++) {
            expected[i] = make_sum(terms + i);
            states[i] = SECP256K1_SUM_UNDECIDED;
            indices[i] = SUMS - 1 - i;
        }
        secp256k1_sum_work work = {terms, SUMS, SUMS, sums, states, fixture.scratch};
        group->sum_complete_var(&work, indices, count);
        for (int i = SUMS - count; i < SUMS; i++) {
            int m = expected[i] < 0 ? -expected[i] : expected[i];
            CHECK(states[i] == (m == 0 ? SECP256K1_SUM_INFINITE : SECP256K1_SUM_DONE));
            if (m != 0 && states[i] == SECP256K1_SUM_DONE) {
                secp256k1_affine point = expected_sums[m];
                if (expected[i] < 0) {
                    u256_sub(&point.y, &secp256k1_fe_p, &point.y);
                }
                CHECK(memcmp(&sums[i], &point, sizeof point) == 0);
            }
        }
    }
}

int main(void) {
    secp256k1_fixture_init(&fixture);
    make_multiples();
    for (int number = 0; number <= 2; number++) {
        if (secp256k1_group_of(number) != NULL) {
            should_sum_whatever_meets(secp256k1_group_of(number));
        }
    }
    free(multiples);
    secp256k1_fixture_free(&fixture);
    return check_result();
}
