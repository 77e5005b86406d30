/* Owners of secp256k1 keys who make points meet on the way of a sum. */
#include "secp256k1_fixture.h"

#define ORDER secp256k1_order.n.m
#define GENERATOR_BITS SECP256K1_GENERATOR_BITS
#define KEY_BITS SECP256K1_KEY_BITS
#define COUNT_MAX 9

static secp256k1_fixture fixture;
static const secp256k1_group *group;
static secp256k1_verify_record others[COUNT_MAX];
static uint8_t other_states[COUNT_MAX];

static void check_key(const u256 *d, const u256 *s, const u256 *t, int count) {
    secp256k1_fixture_key insider;
    secp256k1_verify_record record, batch[COUNT_MAX];
    uint8_t states[COUNT_MAX];
    secp256k1_fixture_key_init(&insider, &fixture, d);
    uint8_t state = secp256k1_fixture_forge(&fixture, &record, &insider, *s, *t);
    int is_valid = state != SECP256K1_VERIFY_GIVEN_NOTHING;
    if (!is_valid) {
        /* The sum is infinity: r = t s', e = s s' for any s'. */
        u256 factor = {{12345, 0, 0, 0}}, r, e;
        memset(&record, 0, sizeof record);
        u256_to_bytes(record.s, &factor);
        scalar_to_montgomery(&factor, &factor, &secp256k1_order);
        scalar_mul(&r, t, &factor, &secp256k1_order);
        scalar_mul(&e, s, &factor, &secp256k1_order);
        u256_to_bytes(record.r, &r);
        u256_to_bytes(record.message, &e);
        record.key = (uint64_t)(uintptr_t)&insider.verify;
        record.table = (uint64_t)(uintptr_t)insider.table;
        state = SECP256K1_VERIFY_GIVEN_E;
    }
    for (int place = 0; place < count; place++) {
        for (int is_spoilt = 0; is_spoilt < 2; is_spoilt++) {
            memcpy(batch, others, sizeof batch);
            memcpy(states, other_states, sizeof states);
            batch[place] = record;
            batch[place].message[31] ^= (uint8_t)is_spoilt;
            states[place] = state;
            int expected = is_valid && !is_spoilt;
            CHECK(secp256k1_verify_var(batch, states, count, fixture.generator, group, fixture.scratch)
                    == count - 1 + expected);
            CHECK(states[place] == expected);
        }
    }
    free(insider.table);
}

#include "meetings.h"

int main(void) {
    secp256k1_fixture_key neighbour;
    u256 d;
    secp256k1_fixture_init(&fixture);
    check_random_below(&d, &secp256k1_order.n.m);
    secp256k1_fixture_key_init(&neighbour, &fixture, &d);
    for (int i = 0; i < COUNT_MAX; i++) {
        other_states[i] = secp256k1_fixture_record(&others[i], &neighbour, 1);
    }
    for (int number = 0; number <= 2; number++) {
        group = secp256k1_group_of(number);
        if (group != NULL) {
            should_survive_meetings();
        }
    }
    free(neighbour.table);
    secp256k1_fixture_free(&fixture);
    return check_result();
}
