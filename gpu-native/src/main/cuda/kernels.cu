/*
 * The kernels. One thread a signature, no shared memory, no synchronisation: threads of a block have nothing to do with
 * each other. Pointers are device memory, aligned to 16 bytes. Window widths are 2..16 bits.
 */
#include "sm2_table.cuh"
#include "sm2_verify.cuh"

FN uint32_t thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/*
 * Verifies under keys that have tables.
 *
 * rows: count of them; keys: by key index; g_table: the generator's; key_tables: by key index, one after another;
 * verdicts: a byte each.
 */
KERNEL sm2_verify_known_keys(const uint4 *rows, const uint4 *keys, const uint4 *g_table, const uint4 *key_tables,
        uint8_t *verdicts, uint32_t count, uint32_t g_window_bits, uint32_t key_window_bits) {
    uint32_t i = thread_index();
    if (i >= count) {
        return;
    }
    const uint4 *row = rows + (uint64_t)i * SM2_ROW_QUADS;
    uint32_t key = sm2_row_key(row);
    const uint4 *key_table = key_tables + key * sm2_table_points(key_window_bits) * SM2_POINT_QUADS;
    verdicts[i] = sm2_verify_known(
            row, keys + (uint64_t)key * SM2_KEY_QUADS, g_table, g_window_bits, key_table, key_window_bits);
}

/* Verifies under any keys; only the generator has a table. */
KERNEL sm2_verify_any_keys(const uint4 *rows, const uint4 *keys, const uint4 *g_table, uint8_t *verdicts,
        uint32_t count, uint32_t g_window_bits) {
    uint32_t i = thread_index();
    if (i >= count) {
        return;
    }
    const uint4 *row = rows + (uint64_t)i * SM2_ROW_QUADS;
    verdicts[i] = sm2_verify_any(row, keys + (uint64_t)sm2_row_key(row) * SM2_KEY_QUADS, g_table, g_window_bits);
}

/*
 * Makes tables: that of the key indexed slots[job] at the same index of key_tables, for each job. growth: 32 bytes for
 * each point of all jobs. Threads: as many for each job as sm2_table_threads says.
 */
KERNEL sm2_make_tables(const uint4 *keys, const uint32_t *slots, uint4 *key_tables, uint4 *growth, uint32_t job_count,
        uint32_t window_bits) {
    uint32_t threads = sm2_table_threads(window_bits);
    uint32_t job = thread_index() / threads;
    if (job >= job_count) {
        return;
    }
    uint64_t points = sm2_table_points(window_bits);
    sm2_table_make_chunk(key_tables + slots[job] * points * SM2_POINT_QUADS, growth + job * points * 2,
            keys + (uint64_t)slots[job] * SM2_KEY_QUADS, thread_index() % threads, window_bits);
}

/*
 * Measures the device: a = a b, so many times, for count pairs of field elements; nothing but multiplications between
 * load and store.
 */
KERNEL sm2_fe_multiply_chain(uint4 *values, uint32_t count, uint32_t times) {
    uint32_t i = thread_index();
    if (i >= count) {
        return;
    }
    uint4 *at = values + (uint64_t)i * 4;
    u256 a = u256_load(at), b = u256_load(at + 2);
    NO_UNROLL
    for (uint32_t j = 0; j < times; j++) {
        a = sm2_fe_mul(a, b);
    }
    u256_store(at, a);
}
