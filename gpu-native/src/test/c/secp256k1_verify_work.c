/* As sm2_verify_work.c, for ECDSA on secp256k1: what a crafted signature costs beside an honest one. */
#include "secp256k1_fixture.h"

#define BITS(value) ((uint64_t)(value))

static secp256k1_fixture fixture;
static secp256k1_fixture_key honest, insider;
static const secp256k1_group *group;

static int verify(const secp256k1_verify_record *records, uint8_t *states, int count) {
    return secp256k1_verify_var(records, states, count, fixture.generator, group, fixture.scratch);
}

static uint8_t as_signed(secp256k1_verify_record *record, int i) {
    (void)i;
    return secp256k1_fixture_record(record, &honest, 1);
}

static uint8_t with_a_bit_turned(secp256k1_verify_record *record, int i) {
    uint8_t state = as_signed(record, i);
    record->s[2 + i % 30] ^= 1;
    return state;
}

/* The shape that costs SM2 a second comparison: r = e + small. */
static uint8_t with_r_near_e(secp256k1_verify_record *record, int i) {
    uint8_t state = as_signed(record, i), digest[SHA256_DIGEST_LENGTH];
    u256 e, small = {{(uint64_t)i, 0, 0, 0}};
    sha256_digest(digest, record->message, SECP256K1_VERIFY_MESSAGE_LENGTH);
    u256_from_bytes(&e, digest);
    scalar_reduce(&e, &e, &secp256k1_order);
    scalar_add(&e, &e, &small, &secp256k1_order);
    u256_to_bytes(record->r, &e);
    return state;
}

/* r below p - n, where x may be r or r + n, under every v. */
static uint8_t with_small_r(secp256k1_verify_record *record, int i) {
    uint8_t state = as_signed(record, i);
    u256 small = {{BITS(i) + 1, i % 3 == 0 ? BITS(1) << 62 : 0, 0, 0}};
    u256_to_bytes(record->r, &small);
    return (uint8_t)((state & 15) | i % 4 << SECP256K1_VERIFY_V_SHIFT);
}

/* e, r and s such that u = e / s and w = r / s: the fewest bits that scalars can have. */
static uint8_t with_small_scalars(secp256k1_verify_record *record, int i) {
    as_signed(record, i);
    memset(record->s, 0, sizeof record->s);
    memset(record->r, 0, sizeof record->r);
    memset(record->message, 0, sizeof record->message);
    record->s[31] = 1;
    record->r[31] = (uint8_t)(1 + i % 40);
    record->message[31] = (uint8_t)(1 + i / 40);
    return SECP256K1_VERIFY_GIVEN_E;
}

/* The record of u G + w P for any r and s in range: r = w s, e = u s with s = 12345. */
static uint8_t record_of(secp256k1_verify_record *record, const u256 *u, const u256 *w) {
    u256 s = {{12345, 0, 0, 0}}, factor, r, e;
    scalar_to_montgomery(&factor, &s, &secp256k1_order);
    scalar_mul(&r, w, &factor, &secp256k1_order);
    scalar_mul(&e, u, &factor, &secp256k1_order);
    memset(record, 0, sizeof *record);
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, &s);
    u256_to_bytes(record->message, &e);
    record->key = (uint64_t)(uintptr_t)&insider.verify;
    record->table = (uint64_t)(uintptr_t)insider.table;
    return SECP256K1_VERIFY_GIVEN_E;
}

/*
 * Of the key P = 2^-45 G window 5 of the table holds odd multiples of G: see should_divert_colliding_sums of
 * secp256k1_verify_test.c.
 */
static uint8_t with_terms_that_meet(secp256k1_verify_record *record, int i) {
    uint64_t digit = 1 + 2 * BITS(i);
    u256 u = {{0x0123456789ABCDEF, 0x1111, 0x2222, 0}}, w = {{0x1, 0x3333, 0x4444, 0}};
    u.w[0] = (u.w[0] & ~BITS(0x3FFF)) | (((digit - 1 + (1 << 13)) / 2) << 1 | 1);
    w.w[0] |= (digit - 1 + 512) / 2 << 46;
    return record_of(record, &u, &w);
}

/* u + w d = 0: the sum is infinity. */
static uint8_t with_infinite_sum(secp256k1_verify_record *record, int i) {
    u256 u, w, d, zero = {{0}};
    (void)i;
    check_random_below(&w, &secp256k1_order.n.m);
    scalar_to_montgomery(&d, &insider.signing.d, &secp256k1_order);
    scalar_mul(&u, &w, &d, &secp256k1_order);
    scalar_sub(&u, &zero, &u, &secp256k1_order);
    return record_of(record, &u, &w);
}

#define WORK_RECORD secp256k1_verify_record
#include "verify_work.h"

static void check_group(const secp256k1_group *checked) {
    group = checked;
    printf("%s\n", group == &secp256k1_group_portable ? "portable" : group == &secp256k1_group_adx ? "adx" : "avx512");
    for (has_table = 0; has_table < 2; has_table++) {
        /* What anybody can send. */
        check_work("as signed", as_signed, 100, 100);
        check_work("a bit turned", with_a_bit_turned, 105, 105);
        check_work("r = e + small", with_r_near_e, 105, 105);
        check_work("r small", with_small_r, 105, 105);
        check_work("scalars small", with_small_scalars, 110, 105);
        /* What needs a private key, or a key made for it. */
        check_work("terms meet", with_terms_that_meet, 300, 200);
        check_work("infinite", with_infinite_sum, 300, 200);
    }
}

int main(void) {
    secp256k1_fixture_init(&fixture);
    u256 d;
    check_random_below(&d, &secp256k1_order.n.m);
    secp256k1_fixture_key_init(&honest, &fixture, &d);
    d = (u256){{BITS(1) << 45, 0, 0, 0}};
    scalar_inverse(&d, &d, &secp256k1_order);
    secp256k1_fixture_key_init(&insider, &fixture, &d);
    for (int number = 0; number <= 2; number++) {
        if (secp256k1_group_of(number) != NULL) {
            check_group(secp256k1_group_of(number));
        }
    }
    free(honest.table);
    free(insider.table);
    secp256k1_fixture_free(&fixture);
    return check_result();
}
