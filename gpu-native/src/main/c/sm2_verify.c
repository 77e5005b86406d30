#include "sm2_verify.h"

#include "comb_terms.h"
#include "cpu.h"
#include "sm2_decide.h"
#include "sm3.h"

#define GENERATOR_TERMS ((256 + SM2_TABLES_GENERATOR_BITS - 1) / SM2_TABLES_GENERATOR_BITS)
#define KEY_TERMS ((256 + SM2_TABLES_KEY_BITS - 1) / SM2_TABLES_KEY_BITS)
#define TERMS (GENERATOR_TERMS + KEY_TERMS)
#define CHUNK SM2_SUM_COUNT_MAX
#define SM3_PADDED_MIN 4

_Static_assert(TERMS <= SM2_SUM_TERMS_MAX, "a sum has too many terms");
_Static_assert(sizeof(sm2_verify_record) == 128, "records are drawn in the header");

/* A record that passed the checks of r and s: it is valid when x(s G + t P) mod n is expected_x. */
typedef struct {
    u256 s, t, expected_x;
    const sm2_verify_record *record;
    uint8_t *state;
} equation;

/* Part of the scratch memory of one chunk. */
typedef struct {
    uint64_t terms[SM2_SUM_TERMS_MAX * CHUNK];
    equation equations[CHUNK];
    equation *known[CHUNK], *unknown[CHUNK];
    const u256 *expected_x[CHUNK];
    uint8_t verdicts[CHUNK];
    uint8_t e[CHUNK][SM3_DIGEST_LENGTH];
    const uint8_t *z[CHUNK], *messages[CHUNK];
} chunk_scratch;

_Static_assert(SM2_SUM_SCRATCH_SIZE + sizeof(chunk_scratch) <= SM2_VERIFY_SCRATCH_SIZE, "scratch memory is too small");

sm2_verify_backend sm2_verify_best_backend(void) {
    if (!cpu_has_adx()) {
        return SM2_VERIFY_PORTABLE;
    }
    return cpu_has_avx512_ifma() ? SM2_VERIFY_AVX512 : SM2_VERIFY_ADX;
}

int sm2_verify_key_init(sm2_verify_key *key, const uint8_t point[64], const uint8_t z[32]) {
    u256 x, y;
    u256_from_bytes(&x, point);
    u256_from_bytes(&y, point + 32);
    if (!u256_is_less(&x, &sm2_fe_p) || !u256_is_less(&y, &sm2_fe_p)) {
        return 0;
    }
    sm2_fe_from_integer(&key->point.x, &x);
    sm2_fe_from_integer(&key->point.y, &y);
    for (int i = 0; i < 32; i++) {
        key->z[i] = z[i];
        key->reserved[i] = 0;
    }
    return sm2_ge_is_on_curve_var(&key->point);
}

static const sm2_verify_key *key_of(const equation *a) {
    return (const sm2_verify_key *)(uintptr_t)a->record->key;
}

/* Returns 1 when r and s are in range and t is not 0, and fills the equation but for e: expected_x = r. */
static int equation_of(equation *a, const sm2_verify_record *record, uint8_t *state) {
    u256 r;
    u256_from_bytes(&r, record->r);
    u256_from_bytes(&a->s, record->s);
    if (u256_is_zero(&r) || u256_is_zero(&a->s) || !u256_is_less(&r, &sm2_ge_order)
            || !u256_is_less(&a->s, &sm2_ge_order)) {
        return 0;
    }
    u256_add_mod(&a->t, &r, &a->s, &sm2_ge_order);
    a->expected_x = r;
    a->record = record;
    a->state = state;
    return !u256_is_zero(&a->t);
}

/* Computes what messages hash to, and takes e off the expected x. */
static void subtract_digests(chunk_scratch *scratch, int count, sm2_verify_backend backend) {
    int hashed = 0;
    for (int i = 0; i < count; i++) {
        const equation *a = &scratch->equations[i];
        if (*a->state == SM2_VERIFY_GIVEN_MESSAGE) {
            scratch->z[hashed] = key_of(a)->z;
            scratch->messages[hashed++] = a->record->message;
        }
    }
    /* A few messages are hashed faster as a full set of lanes, the last of them repeated. */
    if (backend == SM2_VERIFY_AVX512 && hashed >= SM3_PADDED_MIN) {
        while (hashed % SM3_LANES != 0) {
            scratch->z[hashed] = scratch->z[hashed - 1];
            scratch->messages[hashed] = scratch->messages[hashed - 1];
            hashed++;
        }
    }
    sm3_sm2_digests(scratch->e, scratch->z, scratch->messages, SM2_VERIFY_MESSAGE_LENGTH, (size_t)hashed);
    hashed = 0;
    for (int i = 0; i < count; i++) {
        equation *a = &scratch->equations[i];
        u256 e;
        u256_from_bytes(&e, *a->state == SM2_VERIFY_GIVEN_MESSAGE ? scratch->e[hashed++] : a->record->message);
        u256_reduce_once(&e, &e, &sm2_ge_order);
        u256_sub_mod(&a->expected_x, &a->expected_x, &e, &sm2_ge_order);
    }
}

static int settle(equation *const *equations, const uint8_t *verdicts, int count) {
    int valid = 0;
    for (int i = 0; i < count; i++) {
        int holds = verdicts[i] == SM2_SUM_EQUAL;
        *equations[i]->state = holds ? SM2_VERIFY_VALID : SM2_VERIFY_INVALID;
        valid += holds;
    }
    return valid;
}

/* Writes the terms of s G and t P of all equations under known keys. */
static void recode_one_by_one(chunk_scratch *scratch, int count, int stride, const sm2_ge_affine *generator) {
    for (int i = 0; i < count; i++) {
        const equation *a = scratch->known[i];
        comb_terms_of(scratch->terms + i, stride, &a->s, (uint64_t)(uintptr_t)generator, &sm2_ge_order,
                SM2_TABLES_GENERATOR_BITS);
        comb_terms_of(scratch->terms + GENERATOR_TERMS * stride + i, stride, &a->t, a->record->table, &sm2_ge_order,
                SM2_TABLES_KEY_BITS);
    }
}

/* As above, eight at a time; between count and stride the last one once more. */
static void recode_in_lanes(chunk_scratch *scratch, int count, int stride, const sm2_ge_affine *generator) {
    for (int first = 0; first < stride; first += 8) {
        const u256 *s[8], *t[8];
        uint64_t generators[8], tables[8];
        for (int lane = 0; lane < 8; lane++) {
            const equation *a = scratch->known[first + lane < count ? first + lane : count - 1];
            s[lane] = &a->s;
            t[lane] = &a->t;
            generators[lane] = (uint64_t)(uintptr_t)generator;
            tables[lane] = a->record->table;
        }
        uint64_t *terms = scratch->terms + first;
        comb_terms_of_8(terms, stride, s, generators, &sm2_ge_order, SM2_TABLES_GENERATOR_BITS);
        comb_terms_of_8(terms + GENERATOR_TERMS * stride, stride, t, tables, &sm2_ge_order, SM2_TABLES_KEY_BITS);
    }
}

static int settle_known(chunk_scratch *scratch, int count, const sm2_ge_affine *generator, sm2_verify_backend backend,
        void *sum_scratch) {
    if (count == 0) {
        return 0;
    }
    int stride = (count + 7) & ~7;
    for (int i = 0; i < stride; i++) {
        scratch->expected_x[i] = &scratch->known[i < count ? i : count - 1]->expected_x;
    }
    if (backend == SM2_VERIFY_AVX512) {
        recode_in_lanes(scratch, count, stride, generator);
    } else {
        recode_one_by_one(scratch, count, stride, generator);
    }
    sm2_sum_work work = {scratch->terms, TERMS, count, stride, scratch->expected_x, scratch->verdicts, sum_scratch};
    sm2_decide_sums_var(&work, backend);
    return settle(scratch->known, scratch->verdicts, count);
}

static int settle_unknown(chunk_scratch *scratch, int count, const sm2_ge_affine *generator, sm2_verify_backend backend,
        void *sum_scratch) {
    int valid = 0;
    for (int first = 0; first < count; first += SM2_MULTIPLY_COUNT) {
        sm2_multiply_work work;
        int size = count - first < SM2_MULTIPLY_COUNT ? count - first : SM2_MULTIPLY_COUNT;
        for (int i = 0; i < ((size + 7) & ~7); i++) {
            const equation *a = scratch->unknown[first + (i < size ? i : 0)];
            work.s[i] = &a->s;
            work.t[i] = &a->t;
            work.expected_x[i] = &a->expected_x;
            work.point[i] = &key_of(a)->point;
        }
        work.generator = generator;
        work.form = sm2_verify_table_form(backend);
        work.verdicts = scratch->verdicts;
        work.scratch = sum_scratch;
        sm2_decide_products_var(&work, size, backend);
        valid += settle(scratch->unknown + first, scratch->verdicts, size);
    }
    return valid;
}

static int verify_chunk(const sm2_verify_record *records, uint8_t *states, int count, const sm2_ge_affine *generator,
        sm2_verify_backend backend, chunk_scratch *scratch, void *sum_scratch) {
    int equations = 0, known = 0, unknown = 0;
    for (int i = 0; i < count; i++) {
        if (states[i] <= SM2_VERIFY_GIVEN_MESSAGE
                && equation_of(&scratch->equations[equations], &records[i], &states[i])) {
            equations++;
        } else {
            states[i] = SM2_VERIFY_INVALID;
        }
    }
    subtract_digests(scratch, equations, backend);
    for (int i = 0; i < equations; i++) {
        equation *a = &scratch->equations[i];
        if (a->record->table != 0) {
            scratch->known[known++] = a;
        } else {
            scratch->unknown[unknown++] = a;
        }
    }
    return settle_known(scratch, known, generator, backend, sum_scratch)
         + settle_unknown(scratch, unknown, generator, backend, sum_scratch);
}

int sm2_verify_var(const sm2_verify_record *records, uint8_t *states, int count, const sm2_ge_affine *generator,
        sm2_verify_backend backend, void *scratch) {
    void *sum_scratch = scratch;
    chunk_scratch *chunk = (chunk_scratch *)((uint8_t *)scratch + SM2_SUM_SCRATCH_SIZE);
    int valid = 0;
    for (int first = 0; first < count; first += CHUNK) {
        int size = count - first < CHUNK ? count - first : CHUNK;
        valid += verify_chunk(records + first, states + first, size, generator, backend, chunk, sum_scratch);
    }
    return valid;
}
