/*
 * The kernels compiled from their sources, and one more that shows single field operations to tests.
 */
#include "cuda_on_host.h"

#include "kernel_set.h"
#include "kernels.cu"

#include <utility>

/* Results of field operations, in this order, for each pair (a, b) of operands. */
enum { PROBE_MUL, PROBE_SQR, PROBE_ADD, PROBE_SUB, PROBE_CANONICAL, PROBE_INV, PROBE_RESULTS };

KERNEL probe_sm2_fe(const uint4 *pairs, uint4 *results, uint32_t count) {
    uint32_t i = thread_index();
    if (i >= count) {
        return;
    }
    u256 a = u256_load(pairs + i * 4), b = u256_load(pairs + i * 4 + 2);
    uint4 *to = results + i * PROBE_RESULTS * 2;
    u256_store(to + PROBE_MUL * 2, sm2_fe_mul(a, b));
    u256_store(to + PROBE_SQR * 2, sm2_fe_sqr(a));
    u256_store(to + PROBE_ADD * 2, sm2_fe_add(a, b));
    u256_store(to + PROBE_SUB * 2, sm2_fe_sub(a, b));
    u256_store(to + PROBE_CANONICAL * 2, sm2_fe_canonical(a));
    u256_store(to + PROBE_INV * 2, sm2_fe_inv(a));
}

template <class... A, size_t... I> static void call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
    kernel(*static_cast<A *>(arguments[I])...);
}

template <class... A>
static void run_thread(void (*kernel)(A...), void **arguments, uint32_t thread, uint32_t block_size, uint32_t block) {
    threadIdx.x = thread;
    blockDim.x = block_size;
    blockIdx.x = block;
    call(kernel, arguments, std::index_sequence_for<A...>());
}

#define RUN(kernel)                                                                                    \
    {                                                                                                  \
#kernel, [](void **arguments, uint32_t thread, uint32_t block_size,                            \
                         uint32_t block) { run_thread(kernel, arguments, thread, block_size, block); } \
    }

KERNEL_SET source_kernels[] = {
        RUN(sm2_verify_known_keys),
        RUN(sm2_verify_any_keys),
        RUN(sm2_make_tables),
        RUN(sm2_fe_multiply_chain),
        RUN(probe_sm2_fe),
        {nullptr, nullptr},
};
