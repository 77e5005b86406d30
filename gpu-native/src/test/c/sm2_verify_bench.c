/*
 * Verifications a second under 16 keys, by backend and batch size, on one core. 4,096 distinct signatures take turns:
 * a node verifies no signature twice, and fewer of them leave their table entries in the cache.
 */
#include "bench.h"
#include "sm2_fixture.h"

#define KEYS 16
#define COUNT 4096
/* Signatures of one row: time enough for the clock. */
#define ROW 512

static sm2_verify_record records[COUNT];
static const sm2_ge_affine *generator;
static void *scratch;

/* Verifies the row that begins at first in batches of a size. */
static void verify_row(sm2_verify_backend backend, int first, int batch) {
    uint8_t states[ROW];
    int valid = 0;
    memset(states, SM2_VERIFY_GIVEN_MESSAGE, sizeof states);
    for (int i = 0; i < ROW; i += batch) {
        valid += sm2_verify_var(records + first + i, states + i, batch, generator, backend, scratch);
    }
    if (valid != ROW - 1 || states[1] != SM2_VERIFY_INVALID) {
        fprintf(stderr, "%d of %d are valid\n", valid, ROW);
        exit(1);
    }
}

static void measure(sm2_verify_backend backend, int batch, const char *name) {
    static bench rows;
    char title[120];
    snprintf(title, sizeof title, "%s, batch %d", name, batch);
    int first = 0;
    bench_begin(&rows);
    while (bench_goes_on(&rows)) {
        bench_row_begin(&rows);
        verify_row(backend, first, batch);
        bench_row_end(&rows);
        first = (first + ROW) % COUNT;
    }
    bench_report(title, &rows, ROW);
}

static void measure_tables(sm2_verify_backend backend, fixture_key *key, const char *name) {
    char title[80];
    snprintf(title, sizeof title, "%s, table of a key", name);
    BENCH(title, 1,
            sm2_tables_build_var(key->table, &key->key->point, SM2_TABLES_KEY_BITS, sm2_verify_table_form(backend)));
}

int main(int argc, char **argv) {
    static const int sizes[] = {1, 2, 4, 8, 16, 64, 128, 512};
    static const char *const names[] = {"portable", "adx", "avx512"};
    scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    for (sm2_verify_backend backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        const char *name = names[backend];
        char title[80];
        if (argc > 1 && strcmp(argv[1], name) != 0) {
            continue;
        }
        sm2_ge_affine *table = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        fixture_key keys[KEYS];
        generator = table;
        for (int i = 0; i < KEYS; i++) {
            keys[i] = fixture_random_key(backend);
        }
        for (int i = 0; i < COUNT; i++) {
            uint8_t message[48] = {(uint8_t)i, (uint8_t)(i >> 8)};
            fixture_sign(&records[i], &keys[check_random() % KEYS], message);
            /* One of a row is wrong. */
            records[i].r[20] ^= i % ROW == 1;
        }
        measure_tables(backend, &keys[0], name);
        for (int unknown = 0; unknown < 2; unknown++) {
            for (int i = 0; i < COUNT && unknown; i++) {
                records[i].table = 0;
            }
            snprintf(title, sizeof title, "%s, %s keys", name, unknown ? "unknown" : "known");
            for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                measure(backend, sizes[i], title);
            }
        }
        for (int i = 0; i < KEYS; i++) {
            fixture_free(&keys[i]);
        }
        free(table);
    }
    free(scratch);
    return 0;
}
