/*
 * Few sums, whose terms AVX-512 spreads over the lanes: one takes all eight, two four each, three and four two each.
 * Owners of keys who make points meet within a lane or where neighbours add their sums up.
 */
#include "sm2_fixture.h"

#define ROUNDS 12
#define GENERATOR_TERMS 20
#define TERMS 49

static sm2_verify_backend backend;
static sm2_ge_affine *generator;
static void *scratch;
static fixture_key neighbour;

/* What a lane adds up, or begins with: g G + p P, mod n. */
typedef struct {
    u256 g, p;
} share;

/* *r += or -= 2^shift |digit|. */
static void add_digit(u256 *r, int digit, int shift) {
    u256 term = {{(uint64_t)(digit < 0 ? -digit : digit), 0, 0, 0}};
    for (int i = 0; i < shift; i++) {
        u256_add_mod(&term, &term, &term, &sm2_ge_order);
    }
    if (digit < 0) {
        u256_sub_mod(r, r, &term, &sm2_ge_order);
    } else {
        u256_add_mod(r, r, &term, &sm2_ge_order);
    }
}

/* The terms first, first + step, ... below end of s G + t P. */
static share share_of(const u256 *s, const u256 *t, int first, int step, int end) {
    share r = {{{0}}, {{0}}};
    signed_windows of_s, of_t;
    signed_windows_of(&of_s, s, &sm2_ge_order, SM2_TABLES_GENERATOR_BITS);
    signed_windows_of(&of_t, t, &sm2_ge_order, SM2_TABLES_KEY_BITS);
    for (int k = first; k < end; k += step) {
        if (k < GENERATOR_TERMS) {
            add_digit(&r.g, signed_windows_digit(&of_s, k, SM2_TABLES_GENERATOR_BITS), SM2_TABLES_GENERATOR_BITS * k);
        } else {
            int window = k - GENERATOR_TERMS;
            add_digit(&r.p, signed_windows_digit(&of_t, window, SM2_TABLES_KEY_BITS), SM2_TABLES_KEY_BITS * window);
        }
    }
    return r;
}

/* d such that two shares are the same point, or opposite ones, when P = d G. */
static u256 key_where_they_meet(const share *a, const share *b, int is_opposite) {
    u256 g, p, d;
    if (is_opposite) {
        u256 zero = {{0}};
        u256_add_mod(&g, &a->g, &b->g, &sm2_ge_order);
        u256_sub_mod(&g, &zero, &g, &sm2_ge_order);
        u256_add_mod(&p, &a->p, &b->p, &sm2_ge_order);
    } else {
        u256_sub_mod(&g, &b->g, &a->g, &sm2_ge_order);
        u256_sub_mod(&p, &a->p, &b->p, &sm2_ge_order);
    }
    u256_inverse_var(&p, &p, &sm2_ge_order);
    check_mul_mod(&d, &g, &p, &sm2_ge_order);
    return d;
}

/* Verifies a record at every place of a batch of a size, right and spoilt, among records of another key. */
static void check_among_others(const sm2_verify_record *record, int is_valid, int count) {
    sm2_verify_record batch[8];
    uint8_t states[8];
    for (int place = 0; place < count; place++) {
        for (int is_spoilt = 0; is_spoilt < 2; is_spoilt++) {
            for (int i = 0; i < count; i++) {
                uint8_t message[48] = {(uint8_t)i};
                fixture_sign(&batch[i], &neighbour, message);
                states[i] = SM2_VERIFY_GIVEN_MESSAGE;
            }
            batch[place] = *record;
            batch[place].message[31] ^= (uint8_t)is_spoilt;
            states[place] = SM2_VERIFY_GIVEN_E;
            int expected = is_valid && !is_spoilt;
            CHECK(sm2_verify_var(batch, states, count, generator, backend, scratch) == count - 1 + expected);
            CHECK(states[place] == expected);
        }
    }
}

static void check_meeting(const u256 *s, const u256 *t, const share *a, const share *b, int is_opposite, int count) {
    u256 d = key_where_they_meet(a, b, is_opposite);
    fixture_key insider = fixture_key_of(&d, backend);
    sm2_verify_record record;
    int is_valid = fixture_record(&record, &insider, s, t, 1);
    check_among_others(&record, is_valid, count);
    fixture_free(&insider);
}

static void should_survive_meetings(int count) {
    const int spread = count == 1 ? 8 : count == 2 ? 4 : 2;
    for (int round = 0; round < ROUNDS; round++) {
        u256 s, t;
        int lane = round % spread, is_opposite = round / 2 % 2;
        check_random_below(&s, &sm2_ge_order);
        check_random_below(&t, &sm2_ge_order);
        s.w[0] |= 2;
        t.w[0] |= 2;
        /* Within a lane: what it has so far, and its next term of P. */
        int k = lane + (GENERATOR_TERMS + spread - 1 - lane) / spread * spread + round % 3 * spread;
        share before = share_of(&s, &t, lane, spread, k), next = share_of(&s, &t, k, spread, k + 1);
        check_meeting(&s, &t, &before, &next, is_opposite, count);
        /* Where neighbours at each distance add up. */
        for (int distance = spread / 2; distance > 0; distance /= 2) {
            share own = share_of(&s, &t, lane % distance, 2 * distance, TERMS);
            share other = share_of(&s, &t, lane % distance + distance, 2 * distance, TERMS);
            check_meeting(&s, &t, &own, &other, is_opposite, count);
        }
    }
}

int main(void) {
    scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    for (backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        neighbour = fixture_random_key(backend);
        for (int count = 1; count <= 5; count++) {
            should_survive_meetings(count);
        }
        fixture_free(&neighbour);
        free(generator);
    }
    free(scratch);
    return check_result();
}
