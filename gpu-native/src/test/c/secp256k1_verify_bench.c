/*
 * secp256k1 verifications a second under 16 keys, by code and batch size, and recoveries, on one core; 4,096 distinct
 * signatures take turns, as in sm2_verify_bench.c.
 */
#include "bench.h"
#include "secp256k1_fixture.h"

#define KEYS 16
#define COUNT 4096
#define ROW 512

static secp256k1_fixture fixture;
static secp256k1_fixture_key keys[KEYS];
static secp256k1_verify_record records[COUNT];
static uint8_t given[COUNT];

static void verify_row(const secp256k1_group *group, int first, int batch) {
    uint8_t states[ROW];
    int valid = 0;
    memcpy(states, given + first, sizeof states);
    for (int i = 0; i < ROW; i += batch) {
        valid +=
                secp256k1_verify_var(records + first + i, states + i, batch, fixture.generator, group, fixture.scratch);
    }
    if (valid != ROW) {
        fprintf(stderr, "%d of %d are valid\n", valid, ROW);
        exit(1);
    }
}

static void measure(const secp256k1_group *group, int batch, const char *name) {
    static bench rows;
    char title[80];
    snprintf(title, sizeof title, "%s, batch %d", name, batch);
    int first = 0;
    bench_begin(&rows);
    while (bench_goes_on(&rows)) {
        bench_row_begin(&rows);
        verify_row(group, first, batch);
        bench_row_end(&rows);
        first = (first + ROW) % COUNT;
    }
    bench_report(title, &rows, ROW);
}

static void measure_all(const secp256k1_group *group, const char *name) {
    static const int sizes[] = {1, 2, 4, 8, 16, 64, 128, 512};
    char title[60];
    for (int unknown = 0; unknown < 2; unknown++) {
        for (int i = 0; i < COUNT; i++) {
            given[i] = secp256k1_fixture_record(&records[i], &keys[i % KEYS], 1);
            records[i].table = unknown ? 0 : records[i].table;
        }
        snprintf(title, sizeof title, "%s, %s keys", name, unknown ? "unknown" : "known");
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            measure(group, sizes[i], title);
        }
    }
    uint8_t signature[65], e[32], point[64];
    signature[64] = secp256k1_fixture_record(&records[0], &keys[0], 0) >> SECP256K1_VERIFY_V_SHIFT;
    memcpy(signature, records[0].r, 64);
    memcpy(e, records[0].message, 32);
    snprintf(title, sizeof title, "%s, recovery", name);
    BENCH(title, 20, secp256k1_recover_var(point, signature, e, fixture.generator, group));
    snprintf(title, sizeof title, "%s, table of a key", name);
    BENCH(title, 1, group->build_table_var(keys[0].table, &keys[0].verify.point, SECP256K1_KEY_BITS));
}

int main(int argc, char **argv) {
    secp256k1_fixture_init(&fixture);
    for (int i = 0; i < KEYS; i++) {
        u256 d;
        check_random_below(&d, &secp256k1_order.n.m);
        secp256k1_fixture_key_init(&keys[i], &fixture, &d);
    }
    static const char *const names[] = {"portable", "adx", "avx512"};
    for (int number = 0; number <= 2; number++) {
        if (secp256k1_group_of(number) != NULL && (argc == 1 || strcmp(argv[1], names[number]) == 0)) {
            measure_all(secp256k1_group_of(number), names[number]);
        }
    }
    for (int i = 0; i < KEYS; i++) {
        free(keys[i].table);
    }
    secp256k1_fixture_free(&fixture);
    return 0;
}
