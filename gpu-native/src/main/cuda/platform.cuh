/*
 * What the kernels need of their compiler. NVRTC knows neither <stdint.h> nor any other header; a host compiler gets
 * the rest of CUDA's vocabulary (threadIdx, uint4, __global__, ...) from the test that compiles these files for it.
 */
#pragma once

#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#define FN static __device__ __forceinline__
#else
#define UNROLL _Pragma("GCC unroll 16")
#define NO_UNROLL
#define FN static inline
#endif

/*
 * A block has at most this many threads, so that the compiler may give each 65,536 / 512 registers with four blocks on
 * a multiprocessor.
 */
#define THREADS_MAX 256
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS_MAX)
