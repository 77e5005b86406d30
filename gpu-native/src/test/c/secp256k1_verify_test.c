/*
 * Verification and recovery on secp256k1: right and wrong signatures, with and without tables, in every code there is.
 */
#include "secp256k1_fixture.h"

#define KEYS 3
#define RECORDS 300

static secp256k1_fixture fixture;
static secp256k1_fixture_key keys[KEYS];
static const secp256k1_group *group;

#define COPIES 11

/* The verdict on one record, which must be the same without the key's table, and for copies of it in a batch. */
static int verify_one(const secp256k1_verify_record *record, uint8_t state) {
    secp256k1_verify_record without_table = *record, copies[COPIES];
    uint8_t other_state = state, states[COPIES];
    for (int i = 0; i < COPIES; i++) {
        copies[i] = *record;
        states[i] = state;
    }
    without_table.table = 0;
    int valid = secp256k1_verify_var(record, &state, 1, fixture.generator, group, fixture.scratch);
    CHECK(valid == state);
    CHECK(secp256k1_verify_var(&without_table, &other_state, 1, fixture.generator, group, fixture.scratch) == valid);
    CHECK(secp256k1_verify_var(copies, states, COPIES, fixture.generator, group, fixture.scratch) == COPIES * valid);
    return valid;
}

/* A big batch of kinds: as signed, and wrong in one way or another; every other one without a table. */
static void should_tell_right_from_wrong(void) {
    static secp256k1_verify_record records[RECORDS];
    static uint8_t given[RECORDS], states[RECORDS], expected[RECORDS];
    int expected_count = 0;
    for (int i = 0; i < RECORDS; i++) {
        const secp256k1_fixture_key *key = &keys[i % KEYS];
        secp256k1_verify_record *record = &records[i];
        states[i] = secp256k1_fixture_record(record, key, i % 2);
        if (i % 8 == 7) {
            record->table = 0;
        }
        int kind = (int)(check_random() % 12);
        u256 s, opposite;
        switch (kind) {
            case 0:
                record->r[check_random() % 32] ^= 1;
                break;
            case 1:
                record->s[1 + check_random() % 31] ^= 0x80;
                break;
            case 2:
                record->message[check_random() % 32] ^= 4;
                break;
            case 3:
                states[i] ^= 1 << SECP256K1_VERIFY_V_SHIFT;
                break;
            case 4:
                states[i] ^= 2 << SECP256K1_VERIFY_V_SHIFT;
                break;
            case 5:
                states[i] |= 4 << SECP256K1_VERIFY_V_SHIFT;
                break;
            case 6:
                record->key = (uint64_t)(uintptr_t)&keys[(i + 1) % KEYS].verify;
                record->table = record->table == 0 ? 0 : (uint64_t)(uintptr_t)keys[(i + 1) % KEYS].table;
                break;
            case 7: {
                u256_from_bytes(&s, record->s);
                u256_sub(&opposite, &secp256k1_order.n.m, &s);
                u256_to_bytes(record->s, &opposite);
                states[i] ^= 1 << SECP256K1_VERIFY_V_SHIFT;
                break;
            }
            case 8:
                states[i] = SECP256K1_VERIFY_GIVEN_NOTHING;
                break;
            default:
                break;
        }
        expected[i] = kind > 8;
        expected_count += expected[i];
    }
    memcpy(given, states, sizeof given);
    CHECK(secp256k1_verify_var(records, states, RECORDS, fixture.generator, group, fixture.scratch) == expected_count);
    CHECK(memcmp(states, expected, RECORDS) == 0);
    /* Batches of every size, each of other records. */
    for (int count = 1; count <= 130; count++) {
        int first = (int)(check_random() % (unsigned)(RECORDS - count));
        memcpy(states, given + first, (size_t)count);
        secp256k1_verify_var(records + first, states, count, fixture.generator, group, fixture.scratch);
        CHECK(memcmp(states, expected + first, (size_t)count) == 0);
    }
    CHECK(secp256k1_verify_var(records, states, 0, fixture.generator, group, fixture.scratch) == 0);
}

static void should_refuse_numbers_out_of_range(void) {
    const u256 *n = &secp256k1_order.n.m;
    u256 zero = {{0}}, one = {{1, 0, 0, 0}}, less, more, most = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    u256_sub(&less, n, &one);
    u256_add(&more, n, &one);
    const u256 edges[] = {zero, one, less, *n, more, secp256k1_fe_p, most};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        secp256k1_verify_record good, bad;
        uint8_t state = secp256k1_fixture_record(&good, &keys[0], 1);
        CHECK(verify_one(&good, state) == 1);
        bad = good;
        u256_to_bytes(bad.r, &edges[i]);
        CHECK(verify_one(&bad, state) == 0);
        bad = good;
        u256_to_bytes(bad.s, &edges[i]);
        CHECK(verify_one(&bad, state) == 0);
    }
}

/*
 * A scalar whose windows of some bits have the digits of another scalar's: an owner can have any terms he likes on the
 * tree.
 */
static void should_divert_colliding_sums(void) {
    /*
     * The first level adds term 25, window 5 of the key's table, to term 0: of the key P = 2^-45 G that window holds
     * odd multiples of G.
     */
    u256 d = {{(uint64_t)1 << 45, 0, 0, 0}};
    scalar_inverse(&d, &d, &secp256k1_order);
    secp256k1_fixture_key key;
    secp256k1_fixture_key_init(&key, &fixture, &d);
    for (uint64_t digit = 1; digit < 512; digit += 34) {
        for (int is_opposite = 0; is_opposite < 2; is_opposite++) {
            /*
             * B's window is (digit - 1 + 2^bits) / 2, so that B = k >> 1 has these bits in place and the lowest bit of
             * k is one.
             */
            u256 u = {{0x0123456789ABCDEF, 0x1111, 0x2222, 0}}, w = {{0x1, 0x3333, 0x4444, 0}};
            u.w[0] = (u.w[0] & ~(uint64_t)0x3FFF) | (((digit - 1 + (1 << 13)) / 2) << 1 | 1);
            uint64_t window = is_opposite ? (512 - digit - 1) / 2 : (digit - 1 + 512) / 2;
            w.w[0] |= window << 46;
            secp256k1_verify_record record;
            uint8_t state = secp256k1_fixture_forge(&fixture, &record, &key, u, w);
            CHECK(verify_one(&record, state) == 1);
            record.message[31] ^= 1;
            CHECK(verify_one(&record, state) == 0);
        }
    }
    free(key.table);
}

static void should_settle_special_digests(void) {
    secp256k1_verify_record record;
    u256 zero = {{0}}, one = {{1, 0, 0, 0}}, w, infinite;
    /* e = 0: u = 0 has no windows. */
    CHECK(verify_one(&record, secp256k1_fixture_forge(&fixture, &record, &keys[0], zero, one)) == 1);
    /* e = n, which is 0 mod n. */
    uint8_t state = secp256k1_fixture_forge(&fixture, &record, &keys[0], zero, one);
    u256_to_bytes(record.message, &secp256k1_order.n.m);
    CHECK(verify_one(&record, state) == 1);
    /* u G + w P infinite: u = -w d. Any r and s in range with e = u s, r = w s are refused. */
    w = one;
    scalar_sub(&infinite, &zero, &keys[0].signing.d, &secp256k1_order);
    memset(&record, 0, sizeof record);
    u256 s = {{12345, 0, 0, 0}}, t;
    scalar_to_montgomery(&t, &s, &secp256k1_order);
    scalar_mul(&infinite, &infinite, &t, &secp256k1_order);
    scalar_mul(&w, &w, &t, &secp256k1_order);
    u256_to_bytes(record.r, &w);
    u256_to_bytes(record.s, &s);
    u256_to_bytes(record.message, &infinite);
    record.key = (uint64_t)(uintptr_t)&keys[0].verify;
    record.table = (uint64_t)(uintptr_t)keys[0].table;
    CHECK(verify_one(&record, SECP256K1_VERIFY_GIVEN_E) == 0);
    record.table = 0;
    CHECK(verify_one(&record, SECP256K1_VERIFY_GIVEN_E) == 0);
}

static void should_recover_the_key(void) {
    for (int i = 0; i < 40; i++) {
        const secp256k1_fixture_key *key = &keys[i % KEYS];
        secp256k1_verify_record record;
        uint8_t signature[65], point[64], expected[64];
        signature[64] = secp256k1_fixture_record(&record, key, 0) >> SECP256K1_VERIFY_V_SHIFT;
        memcpy(signature, record.r, 64);
        u256_to_bytes(expected, &key->verify.point.x);
        u256_to_bytes(expected + 32, &key->verify.point.y);
        CHECK(secp256k1_recover_var(point, signature, record.message, fixture.generator, group));
        CHECK(memcmp(point, expected, 64) == 0);
        signature[64] ^= 1;
        CHECK(secp256k1_recover_var(point, signature, record.message, fixture.generator, group));
        CHECK(memcmp(point, expected, 64) != 0);
        signature[64] = 4;
        CHECK(!secp256k1_recover_var(point, signature, record.message, fixture.generator, group));
        /* x = r + n is below p for none of the usual r. */
        signature[64] = 2;
        CHECK(!secp256k1_recover_var(point, signature, record.message, fixture.generator, group));
        memset(signature, 0, 32);
        CHECK(!secp256k1_recover_var(point, signature, record.message, fixture.generator, group));
    }
}

static void should_refuse_points_off_the_curve(void) {
    uint8_t point[64];
    secp256k1_verify_key key;
    u256_to_bytes(point, &keys[0].verify.point.x);
    u256_to_bytes(point + 32, &keys[0].verify.point.y);
    CHECK(secp256k1_verify_key_init(&key, point));
    point[63] ^= 1;
    CHECK(!secp256k1_verify_key_init(&key, point));
    memset(point, 0xFF, sizeof point);
    CHECK(!secp256k1_verify_key_init(&key, point));
    memset(point, 0, sizeof point);
    CHECK(!secp256k1_verify_key_init(&key, point));
}

static void check_group(const secp256k1_group *checked) {
    group = checked;
    should_tell_right_from_wrong();
    should_refuse_numbers_out_of_range();
    should_divert_colliding_sums();
    should_settle_special_digests();
    should_recover_the_key();
}

int main(void) {
    secp256k1_fixture_init(&fixture);
    for (int i = 0; i < KEYS; i++) {
        u256 d;
        check_random_below(&d, &secp256k1_order.n.m);
        secp256k1_fixture_key_init(&keys[i], &fixture, &d);
    }
    should_refuse_points_off_the_curve();
    for (int number = 0; number <= 2; number++) {
        if (secp256k1_group_of(number) != NULL) {
            check_group(secp256k1_group_of(number));
        }
    }
    for (int i = 0; i < KEYS; i++) {
        free(keys[i].table);
    }
    secp256k1_fixture_free(&fixture);
    return check_result();
}
