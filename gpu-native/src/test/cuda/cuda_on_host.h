/*
 * Enough of CUDA's vocabulary to compile the kernels, unchanged, for the machine that builds them. A thread is a call;
 * there are no barriers, no shared memory and no warps, because the kernels use none.
 */
#pragma once
#include <cstddef>
#include <cstdint>

#define __global__
#define __device__
#define __constant__ static const
#define __launch_bounds__(...)

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

struct stand_in_index {
    uint32_t x;
};

static thread_local stand_in_index threadIdx, blockIdx, blockDim;
