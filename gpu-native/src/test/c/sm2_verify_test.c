/*
 * Verification by every backend that this machine can run: right and wrong signatures in mixed batches, and what an
 * adversary sends.
 */
#include "sm2_fixture.h"

#define KEYS 5
#define BATCH_MAX 300

static sm2_verify_backend backend;
static sm2_ge_affine *generator;
static void *scratch;
static fixture_key keys[KEYS];

static int verify(const sm2_verify_record *records, uint8_t *states, int count) {
    return sm2_verify_var(records, states, count, generator, backend, scratch);
}

/* The verdict of one record that holds e, amid three copies of a neighbour so that lanes differ. */
static int verdict(const sm2_verify_record *record, const sm2_verify_record *neighbour) {
    sm2_verify_record batch[4] = {*neighbour, *record, *neighbour, *neighbour};
    uint8_t states[4] = {SM2_VERIFY_GIVEN_E, SM2_VERIFY_GIVEN_E, SM2_VERIFY_GIVEN_E, SM2_VERIFY_GIVEN_E};
    int valid = verify(batch, states, 4);
    CHECK(states[0] == SM2_VERIFY_VALID && states[2] == SM2_VERIFY_VALID && states[3] == SM2_VERIFY_VALID);
    CHECK(valid == 3 + states[1]);
    return states[1];
}

/* Makes a record, right or wrong; returns its state before, and writes the verdict that it must get. */
static uint8_t mixed_record(sm2_verify_record *record, uint8_t *expected) {
    uint8_t message[48], state = SM2_VERIFY_GIVEN_MESSAGE;
    for (int j = 0; j < 48; j++) {
        message[j] = (uint8_t)check_random();
    }
    fixture_key *key = &keys[check_random() % KEYS];
    fixture_sign(record, key, message);
    if (check_random() % 2) {
        const uint8_t *z = key->key->z, *text = message;
        uint8_t e[1][32];
        sm3_sm2_digests(e, &z, &text, 48, 1);
        memcpy(record->message, e[0], 32);
        state = SM2_VERIFY_GIVEN_E;
    }
    if (check_random() % 3 == 0) {
        record->table = 0;
    }
    *expected = SM2_VERIFY_INVALID;
    uint64_t wrong = check_random() % 8;
    if (wrong < 3) {
        uint8_t *field = wrong == 0 ? record->r : wrong == 1 ? record->s : record->message;
        field[check_random() % 32] ^= (uint8_t)(1 << check_random() % 8);
    } else if (wrong == 3) {
        fixture_key *other = &keys[(key - keys + 1) % KEYS];
        record->key = (uint64_t)(uintptr_t)other->key;
        record->table = record->table != 0 ? (uint64_t)(uintptr_t)other->table : 0;
    } else if (wrong == 4 && check_random() % 4 == 0) {
        state = SM2_VERIFY_GIVEN_NOTHING;
    } else {
        *expected = SM2_VERIFY_VALID;
    }
    return state;
}

/* Batches of every size up to 130, each of other records, and one that takes several chunks. */
static void should_tell_right_from_wrong_in_mixed_batches(void) {
    static sm2_verify_record records[BATCH_MAX];
    static uint8_t given[BATCH_MAX], states[BATCH_MAX], expected[BATCH_MAX];
    for (int i = 0; i < BATCH_MAX; i++) {
        given[i] = mixed_record(&records[i], &expected[i]);
    }
    for (int size = 0; size <= 131; size++) {
        int count = size == 131 ? BATCH_MAX : size, first = (int)(check_random() % (unsigned)(BATCH_MAX - count + 1));
        int expected_valid = 0;
        for (int i = first; i < first + count; i++) {
            states[i] = given[i];
            expected_valid += expected[i];
        }
        CHECK(verify(records + first, states + first, count) == expected_valid);
        CHECK(memcmp(states + first, expected + first, (size_t)count) == 0);
    }
}

/* Both ways of multiplying, at scalars where digits, signs and partial sums are at their edges. */
static void should_hold_at_edge_scalars(void) {
    u256 scalars[24],
            small[] = {{{1, 0, 0, 0}}, {{2, 0, 0, 0}}, {{3, 0, 0, 0}}, {{4, 0, 0, 0}}, {{6, 0, 0, 0}}, {{0, 1, 0, 0}},
                    {{0, 0, 0, (uint64_t)1 << 63}}, {{511, 0, 0, 0}}, {{8191, 0, 0, 0}}, {{8193, 0, 0, 0}}};
    int count = 0;
    for (unsigned i = 0; i < sizeof small / sizeof *small; i++) {
        scalars[count++] = small[i];
        u256_sub(&scalars[count++], &sm2_ge_order, &small[i]);
    }
    check_random_below(&scalars[count++], &sm2_ge_order);
    sm2_verify_record good, record;
    CHECK(fixture_record(&good, &keys[1], &scalars[0], &scalars[count - 1], 1));
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            for (int has_table = 0; has_table < 2; has_table++) {
                int exists = fixture_record(&record, &keys[0], &scalars[i], &scalars[j], has_table);
                CHECK(verdict(&record, &good) == exists);
                record.message[31] ^= 1;
                CHECK(verdict(&record, &good) == SM2_VERIFY_INVALID);
            }
        }
    }
}

static void should_refuse_numbers_out_of_range(void) {
    sm2_verify_record good, record;
    u256 s, t, edge, one = {{1, 0, 0, 0}};
    check_random_below(&s, &sm2_ge_order);
    check_random_below(&t, &sm2_ge_order);
    CHECK(fixture_record(&good, &keys[0], &s, &t, 1));
    for (int which = 0; which < 6; which++) {
        for (int field = 0; field < 2; field++) {
            record = good;
            uint8_t *bytes = field == 0 ? record.r : record.s;
            edge = which < 2 ? (u256){{(uint64_t)which, 0, 0, 0}} : sm2_ge_order;
            if (which == 3) {
                u256_sub(&edge, &edge, &one);
            } else if (which == 4) {
                u256_add(&edge, &edge, &one);
            } else if (which == 5) {
                u256_sub(&edge, &edge, &edge);
                u256_sub(&edge, &edge, &one);
            }
            u256_to_bytes(bytes, &edge);
            CHECK(verdict(&record, &good) == SM2_VERIFY_INVALID);
        }
    }
    /* r + s = n, and a sum at infinity: s + t d = 0. */
    record = good;
    u256_sub(&edge, &sm2_ge_order, &s);
    u256_to_bytes(record.r, &edge);
    CHECK(verdict(&record, &good) == SM2_VERIFY_INVALID);
    for (int has_table = 0; has_table < 2; has_table++) {
        u256 inverse;
        u256_inverse_var(&inverse, &keys[0].d, &sm2_ge_order);
        u256_sub(&edge, &sm2_ge_order, &s);
        check_mul_mod(&t, &edge, &inverse, &sm2_ge_order);
        CHECK(!fixture_record(&record, &keys[0], &s, &t, has_table));
        CHECK(verdict(&record, &good) == SM2_VERIFY_INVALID);
    }
    /* e, alone, may be any number: r + n wraps around. */
    check_random_below(&t, &sm2_ge_order);
    for (int round = 0; round < 20; round++) {
        u256 e;
        check_random_below(&s, &sm2_ge_order);
        if (!fixture_record(&record, &keys[2], &s, &t, round & 1)) {
            continue;
        }
        u256_from_bytes(&e, record.message);
        if (u256_add(&e, &e, &sm2_ge_order) == 0) {
            u256_to_bytes(record.message, &e);
            CHECK(verdict(&record, &good) == SM2_VERIFY_VALID);
        }
    }
}

/*
 * An owner who chooses his key, and scalars for it, so that the first digit of s, a, times G is plus or minus the digit
 * b of window 5 of t times 2^45 P: the two terms meet in the tree's first level. The signatures are valid and must be
 * accepted, and must not harm the others.
 */
static void should_survive_colliding_terms(void) {
    enum { CRAFTED = 20 };
    const uint64_t a = 4097, b = 77;
    sm2_verify_record records[40];
    uint8_t states[40];
    for (int sign = 0; sign < 2; sign++) {
        u256 d, weight = {{b << 45, b >> 19, 0, 0}}, first = {{a, 0, 0, 0}};
        u256_inverse_var(&d, &weight, &sm2_ge_order);
        check_mul_mod(&d, &d, &first, &sm2_ge_order);
        if (sign == 1) {
            u256_sub(&d, &sm2_ge_order, &d);
        }
        fixture_key insider = fixture_key_of(&d, backend);
        for (int i = 0; i < 40; i++) {
            u256 s, t;
            check_random_below(&s, &sm2_ge_order);
            check_random_below(&t, &sm2_ge_order);
            s.w[3] &= ~(uint64_t)0 >> 2;
            t.w[3] &= ~(uint64_t)0 >> 2;
            if (i % 2 == 0) {
                s.w[0] = (s.w[0] & ~(uint64_t)0x3FFF) | (a + 8192);
                t.w[0] = (t.w[0] & ~((uint64_t)511 << 46)) | (b + 511) / 2 << 46 | 1;
            }
            CHECK(fixture_record(&records[i], &insider, &s, &t, 1));
            states[i] = SM2_VERIFY_GIVEN_E;
            if (i % 5 == 4) {
                records[i].message[7] ^= 4;
            }
        }
        CHECK(verify(records, states, 40) == 32);
        for (int i = 0; i < 40; i++) {
            CHECK(states[i] == (i % 5 == 4 ? SM2_VERIFY_INVALID : SM2_VERIFY_VALID));
        }
        fixture_free(&insider);
    }
}

/* Nobody's secret is needed to make the windows of G's part meet: d = 1 makes all of P's table G's. */
static void should_survive_key_one(void) {
    u256 one = {{1, 0, 0, 0}}, s, t;
    fixture_key key = fixture_key_of(&one, backend);
    sm2_verify_record good, record;
    check_random_below(&s, &sm2_ge_order);
    check_random_below(&t, &sm2_ge_order);
    CHECK(fixture_record(&good, &keys[0], &s, &t, 1));
    for (int round = 0; round < 200; round++) {
        check_random_below(&s, &sm2_ge_order);
        t = s;
        if (round % 2) {
            u256_sub(&t, &sm2_ge_order, &s);
        }
        t.w[round % 4] ^= round % 3 ? (uint64_t)1 << (check_random() % 62) : 0;
        if (!u256_is_less(&t, &sm2_ge_order)) {
            continue;
        }
        for (int has_table = 0; has_table < 2; has_table++) {
            int exists = fixture_record(&record, &key, &s, &t, has_table);
            CHECK(verdict(&record, &good) == exists);
        }
    }
    fixture_free(&key);
}

/*
 * x between n and p, where x mod n is another number than x, and x below p - n, which x mod n does not tell from x + n.
 * A sum of that x is chosen first, Q, and the key made for it: P = (Q - s G) / t. Its private key nobody knows.
 */
static void should_reduce_x_modulo_the_order(void) {
    u256 s, t, x, start, w, y, inverse, two = {{2, 0, 0, 0}}, three_x;
    sm2_verify_record good, record;
    check_random_below(&s, &sm2_ge_order);
    check_random_below(&t, &sm2_ge_order);
    CHECK(fixture_record(&good, &keys[0], &s, &t, 1));
    for (int round = 0; round < 16; round++) {
        start = (u256){{(uint64_t)round * 1000 + 1, 0, 0, 0}};
        if (round % 2) {
            u256_add(&start, &start, &sm2_ge_order);
        }
        sm2_ge_affine q;
        do {
            /* y^2 = x^3 - 3 x + b; b is what the generator leaves over. y = (y^2)^((p + 1) / 4). */
            u256_add(&start, &start, &two);
            sm2_fe_from_integer(&q.x, &start);
            u256 b, t3;
            sm2_fe_sqr(&b, &sm2_ge_generator.y);
            sm2_fe_sqr(&t3, &sm2_ge_generator.x);
            sm2_fe_mul(&t3, &t3, &sm2_ge_generator.x);
            sm2_fe_sub(&b, &b, &t3);
            for (int i = 0; i < 3; i++) {
                sm2_fe_add(&b, &b, &sm2_ge_generator.x);
            }
            sm2_fe_sqr(&w, &q.x);
            sm2_fe_mul(&w, &w, &q.x);
            sm2_fe_add(&three_x, &q.x, &q.x);
            sm2_fe_add(&three_x, &three_x, &q.x);
            sm2_fe_sub(&w, &w, &three_x);
            sm2_fe_add(&w, &w, &b);
            y = sm2_fe_one;
            for (int bit = 253; bit >= 0; bit--) {
                u256 exponent = sm2_fe_p, one = {{1, 0, 0, 0}};
                for (int i = 0; i < 4; i++) {
                    exponent.w[i] = exponent.w[i] >> 2 | (i < 3 ? exponent.w[i + 1] << 62 : 0);
                }
                u256_add(&exponent, &exponent, &one);
                sm2_fe_sqr(&y, &y);
                if (exponent.w[bit / 64] >> bit % 64 & 1) {
                    sm2_fe_mul(&y, &y, &w);
                }
            }
            q.y = y;
        } while (!sm2_ge_is_on_curve_var(&q));
        u256 zero = {{0}}, minus_s;
        sm2_ge_jacobian sum;
        sm2_ge_affine p;
        uint8_t point[64], z[32] = {0};
        u256_inverse_var(&inverse, &t, &sm2_ge_order);
        check_mul_mod(&minus_s, &s, &inverse, &sm2_ge_order);
        u256_sub(&minus_s, &sm2_ge_order, &minus_s);
        reference_multiply_add(&sum, &minus_s, &inverse, &q);
        sm2_ge_to_affine_var(&p, &sum, 1);
        sm2_fe_to_integer(&x, &p.x);
        u256_to_bytes(point, &x);
        sm2_fe_to_integer(&x, &p.y);
        u256_to_bytes(point + 32, &x);
        fixture_key key = {zero, fixture_memory(sizeof(sm2_verify_key)), NULL};
        CHECK(sm2_verify_key_init(key.key, point, z));
        key.table = fixture_table(&key.key->point, SM2_TABLES_KEY_BITS, backend);
        for (int has_table = 0; has_table < 2; has_table++) {
            CHECK(fixture_record(&record, &key, &s, &t, has_table));
            CHECK(verdict(&record, &good) == SM2_VERIFY_VALID);
            record.message[31] ^= 1;
            CHECK(verdict(&record, &good) == SM2_VERIFY_INVALID);
        }
        fixture_free(&key);
    }
}

static void should_refuse_points_off_the_curve(void) {
    sm2_verify_key key;
    uint8_t point[64] = {0}, z[32] = {0};
    CHECK(!sm2_verify_key_init(&key, point, z));
    u256_to_bytes(point, &sm2_fe_p);
    CHECK(!sm2_verify_key_init(&key, point, z));
    memset(point, 0xFF, sizeof point);
    CHECK(!sm2_verify_key_init(&key, point, z));
}

int main(void) {
    scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    for (backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        for (int i = 0; i < KEYS; i++) {
            keys[i] = fixture_random_key(backend);
        }
        should_tell_right_from_wrong_in_mixed_batches();
        should_hold_at_edge_scalars();
        should_refuse_numbers_out_of_range();
        should_survive_colliding_terms();
        should_survive_key_one();
        should_reduce_x_modulo_the_order();
        should_refuse_points_off_the_curve();
        for (int i = 0; i < KEYS; i++) {
            fixture_free(&keys[i]);
        }
        free(generator);
        printf("backend %d: %d checks so far\n", (int)backend, check_count);
    }
    free(scratch);
    return check_result();
}
