/* secp256k1 verifications a second under 16 keys, by code and batch size, and recoveries, on one core. */
#include "bench.h"
#include "cpu.h"
#include "secp256k1_fixture.h"

#define KEYS 16
#define COUNT_MAX 512

static secp256k1_fixture fixture;
static secp256k1_fixture_key keys[KEYS];
static secp256k1_verify_record records[COUNT_MAX];
static uint8_t given[COUNT_MAX], states[COUNT_MAX];

static void measure(const secp256k1_group *group, int count, const char *name) {
    char title[80];
    snprintf(title, sizeof title, "%s, batch %d", name, count);
    double best_s = 1e9, begin_s = bench_cpu_s();
    do {
        memcpy(states, given, sizeof states);
        double start_s = bench_cpu_s();
        int valid = secp256k1_verify_var(records, states, count, fixture.generator, group, fixture.scratch);
        double took_s = bench_cpu_s() - start_s;
        best_s = took_s < best_s ? took_s : best_s;
        if (valid != count) {
            fprintf(stderr, "%d of %d are valid\n", valid, count);
            exit(1);
        }
    } while (bench_cpu_s() - begin_s < 0.3);
    bench_report(title, best_s, count);
}

static void measure_all(const secp256k1_group *group, const char *name) {
    static const int sizes[] = {1, 8, 16, 64, 128, 512};
    char title[60];
    for (int unknown = 0; unknown < 2; unknown++) {
        for (int i = 0; i < COUNT_MAX; i++) {
            given[i] = secp256k1_fixture_record(&records[i], &keys[i % KEYS], 1);
            records[i].table = unknown ? 0 : records[i].table;
        }
        snprintf(title, sizeof title, "%s, %s keys", name, unknown ? "unknown" : "known");
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i += unknown ? 3 : 1) {
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

int main(void) {
    secp256k1_fixture_init(&fixture);
    for (int i = 0; i < KEYS; i++) {
        u256 d;
        check_random_below(&d, &secp256k1_order.n.m);
        secp256k1_fixture_key_init(&keys[i], &fixture, &d);
    }
    measure_all(&secp256k1_group_portable, "portable");
    if (cpu_has_adx()) {
        measure_all(&secp256k1_group_adx, "adx");
    }
    for (int i = 0; i < KEYS; i++) {
        free(keys[i].table);
    }
    secp256k1_fixture_free(&fixture);
    return 0;
}
