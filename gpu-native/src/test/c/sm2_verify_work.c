/*
 * What a crafted signature costs, in counted field operations, beside an honest one under the same key in a batch of
 * the same size. Whoever can send signatures that cost a multiple occupies a verifier with a fraction of its own
 * traffic.
 */
#include "sm2_fixture.h"
#define BITS(value) ((uint64_t)(value))

static sm2_verify_backend backend;
static sm2_ge_affine *generator;
static void *scratch;
static fixture_key honest, insider;

static int verify(const sm2_verify_record *records, uint8_t *states, int count) {
    return sm2_verify_var(records, states, count, generator, backend, scratch);
}

static uint8_t as_signed(sm2_verify_record *record, int i) {
    uint8_t message[48] = {(uint8_t)i, (uint8_t)(i >> 8)};
    fixture_sign(record, &honest, message);
    return SM2_VERIFY_GIVEN_MESSAGE;
}

/* A signature that is spoilt costs what an honest one does. */
static uint8_t with_a_bit_turned(sm2_verify_record *record, int i) {
    as_signed(record, i);
    record->s[1 + i % 31] ^= 1;
    return SM2_VERIFY_GIVEN_MESSAGE;
}

/* r = e + small, s random: needs no private key. The expected x is small, and x mod n does not tell it from x + n. */
static uint8_t with_small_expected_x(sm2_verify_record *record, int i) {
    u256 r, s, e;
    as_signed(record, i);
    const uint8_t *z = honest.key->z, *message = record->message;
    uint8_t digest[1][32];
    sm3_sm2_digests(digest, &z, &message, SM2_VERIFY_MESSAGE_LENGTH, 1);
    u256_from_bytes(&e, digest[0]);
    u256_reduce_once(&e, &e, &sm2_ge_order);
    u256 small = {{(uint64_t)i, i % 3 == 0 ? BITS(1) << 62 : 0, 0, 0}};
    u256_add_mod(&r, &e, &small, &sm2_ge_order);
    check_random_below(&s, &sm2_ge_order);
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, &s);
    return SM2_VERIFY_GIVEN_MESSAGE;
}

/* A record of any s and t, which needs no private key either, but which an insider chooses so that points meet. */
static uint8_t record_of(sm2_verify_record *record, const fixture_key *key, const u256 *s, const u256 *t) {
    u256 r;
    u256_sub_mod(&r, t, s, &sm2_ge_order);
    memset(record, 0, sizeof *record);
    for (int j = 0; j < 32; j++) {
        record->message[j] = (uint8_t)check_random();
    }
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, s);
    record->key = (uint64_t)(uintptr_t)key->key;
    record->table = (uint64_t)(uintptr_t)key->table;
    return SM2_VERIFY_GIVEN_E;
}

/* r + s small, or close to n: the partial sums of t P wrap around at the end. */
static uint8_t with_t_near_the_edges(sm2_verify_record *record, int i) {
    u256 s, t = {{BITS(1 + i / 2 % 34), 0, 0, 0}};
    check_random_below(&s, &sm2_ge_order);
    if (i % 2) {
        u256_sub(&t, &sm2_ge_order, &t);
    }
    return record_of(record, &honest, &s, &t);
}

/* For an even t the digits are those of n - 6, whose lowest is that of the partial sum before it. */
static uint8_t with_t_of_six(sm2_verify_record *record, int i) {
    u256 s, t = {{6, 0, 0, 0}};
    check_random_below(&s, &sm2_ge_order);
    if (i % 2) {
        u256_sub(&t, &sm2_ge_order, &t);
    }
    return record_of(record, &honest, &s, &t);
}

/*
 * The first digit of s and a digit of t name the same point: see should_survive_colliding_terms of sm2_verify_test.c.
 */
static const uint64_t first_digit = 4097, window_digit = 77;

static void make_insider(void) {
    u256 d, weight = {{window_digit << 45, window_digit >> 19, 0, 0}}, first = {{first_digit, 0, 0, 0}};
    u256_inverse_var(&d, &weight, &sm2_ge_order);
    check_mul_mod(&d, &d, &first, &sm2_ge_order);
    insider = fixture_key_of(&d, backend);
}

static uint8_t with_terms_that_meet(sm2_verify_record *record, int i) {
    u256 s, t;
    (void)i;
    check_random_below(&s, &sm2_ge_order);
    check_random_below(&t, &sm2_ge_order);
    s.w[3] &= ~BITS(0) >> 2;
    t.w[3] &= ~BITS(0) >> 2;
    s.w[0] = (s.w[0] & ~BITS(0x3FFF)) | (first_digit + 8192);
    t.w[0] = (t.w[0] & ~(BITS(511) << 46)) | (window_digit + 511) / 2 << 46 | 1;
    return record_of(record, &insider, &s, &t);
}

/* s + t d = 0: the sum is infinity. */
static uint8_t with_infinite_sum(sm2_verify_record *record, int i) {
    u256 s, t;
    (void)i;
    check_random_below(&t, &sm2_ge_order);
    check_mul_mod(&s, &t, &insider.d, &sm2_ge_order);
    u256_sub(&s, &sm2_ge_order, &s);
    return record_of(record, &insider, &s, &t);
}

#define WORK_RECORD sm2_verify_record
#include "verify_work.h"

int main(void) {
    scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    for (backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        honest = fixture_random_key(backend);
        make_insider();
        printf("backend %d\n", (int)backend);
        for (has_table = 0; has_table < 2; has_table++) {
            /* What anybody can send. */
            check_work("as signed", as_signed, 100, 100);
            check_work("a bit turned", with_a_bit_turned, 110, 105);
            check_work("r = e + small", with_small_expected_x, 120, 110);
            check_work("t near the edges", with_t_near_the_edges, 110, 105);
            check_work("t = 6", with_t_of_six, 110, 105);
            /* What needs a private key, or a key made for it. */
            /* With emulated instructions of AVX-512 the first one is at 300: a little more, for another seed. */
            int percent_max = backend == SM2_VERIFY_AVX512 ? 310 : 300;
            check_work("terms meet", with_terms_that_meet, percent_max, 200);
            check_work("infinite", with_infinite_sum, percent_max, 200);
        }
        fixture_free(&honest);
        fixture_free(&insider);
        free(generator);
    }
    free(scratch);
    return check_result();
}
