/* Verifications a second under 16 keys, by backend and batch size, on one core. */
#include "bench.h"
#include "sm2_fixture.h"

#define KEYS 16
#define COUNT_MAX 512

static void measure(sm2_verify_backend backend, const sm2_ge_affine *generator, sm2_verify_record *records, int count,
        const char *name) {
    static uint8_t states[COUNT_MAX];
    static void *scratch;
    if (scratch == NULL) {
        scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
    }
    char title[120];
    snprintf(title, sizeof title, "%s, batch %d", name, count);
    double best_s = 1e9, begin_s = bench_cpu_s();
    do {
        memset(states, SM2_VERIFY_GIVEN_MESSAGE, sizeof states);
        double start_s = bench_cpu_s();
        int valid = sm2_verify_var(records, states, count, generator, backend, scratch);
        double took_s = bench_cpu_s() - start_s;
        best_s = took_s < best_s ? took_s : best_s;
        if (valid != count - 1 && count > 1) {
            fprintf(stderr, "%d of %d are valid\n", valid, count);
            exit(1);
        }
    } while (bench_cpu_s() - begin_s < 0.4);
    bench_report(title, best_s, count);
}

int main(void) {
    static sm2_verify_record records[COUNT_MAX];
    static const int sizes[] = {1, 8, 16, 64, 128, 512};
    for (sm2_verify_backend backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        const char *name = backend == SM2_VERIFY_PORTABLE ? "portable" : backend == SM2_VERIFY_ADX ? "adx" : "avx512";
        char title[80];
        sm2_ge_affine *generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
        fixture_key keys[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = fixture_random_key(backend);
        }
        snprintf(title, sizeof title, "%s, table of a key", name);
        BENCH(title, 1,
                sm2_tables_build_var(
                        keys[0].table, &keys[0].key->point, SM2_TABLES_KEY_BITS, sm2_verify_table_form(backend)));
        snprintf(title, sizeof title, "%s, table of G", name);
        BENCH(title, 1,
                sm2_tables_build_var(
                        generator, &sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, sm2_verify_table_form(backend)));
        for (int unknown = 0; unknown < 2; unknown++) {
            for (int i = 0; i < COUNT_MAX; i++) {
                uint8_t message[48] = {(uint8_t)i, (uint8_t)(i >> 8)};
                fixture_sign(&records[i], &keys[check_random() % KEYS], message);
                records[i].table = unknown ? 0 : records[i].table;
            }
            records[0].r[20] ^= 1;
            snprintf(title, sizeof title, "%s, %s keys", name, unknown ? "unknown" : "known");
            for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                measure(backend, generator, records, sizes[i], title);
            }
        }
        for (int i = 0; i < KEYS; i++) {
            fixture_free(&keys[i]);
        }
        free(generator);
    }
    return 0;
}
