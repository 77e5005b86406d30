/* Owners of SM2 keys who make points meet on the way of a sum. */
#include "sm2_fixture.h"

#define ORDER sm2_ge_order
#define GENERATOR_BITS SM2_TABLES_GENERATOR_BITS
#define KEY_BITS SM2_TABLES_KEY_BITS
#define COUNT_MAX 9

static sm2_verify_backend backend;
static sm2_ge_affine *generator;
static void *scratch;
static sm2_verify_record others[COUNT_MAX];

static void check_key(const u256 *d, const u256 *s, const u256 *t, int count) {
    fixture_key insider = fixture_key_of(d, backend);
    sm2_verify_record record, batch[COUNT_MAX];
    uint8_t states[COUNT_MAX];
    int is_valid = fixture_record(&record, &insider, s, t, 1);
    for (int place = 0; place < count; place++) {
        for (int is_spoilt = 0; is_spoilt < 2; is_spoilt++) {
            memcpy(batch, others, sizeof batch);
            memset(states, SM2_VERIFY_GIVEN_MESSAGE, sizeof states);
            batch[place] = record;
            batch[place].message[31] ^= (uint8_t)is_spoilt;
            states[place] = SM2_VERIFY_GIVEN_E;
            int expected = is_valid && !is_spoilt;
            CHECK(sm2_verify_var(batch, states, count, generator, backend, scratch) == count - 1 + expected);
            CHECK(states[place] == expected);
        }
    }
    fixture_free(&insider);
}

#include "meetings.h"

int main(void) {
    scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    for (backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        fixture_key neighbour = fixture_random_key(backend);
        for (int i = 0; i < COUNT_MAX; i++) {
            uint8_t message[48] = {(uint8_t)i};
            fixture_sign(&others[i], &neighbour, message);
        }
        should_survive_meetings();
        fixture_free(&neighbour);
        free(generator);
    }
    free(scratch);
    return check_result();
}
