/*
 * Kernels that run on the processor: a name, and a function that does the work of one CUDA thread.
 */
#pragma once
#include <stdint.h>

/* arguments[i] points to the i-th argument, as cuLaunchKernel takes them. */
typedef void kernel_thread(void **arguments, uint32_t thread, uint32_t block_size, uint32_t block);

struct kernel {
    const char *name;
    kernel_thread *run;
};

#ifdef __cplusplus
#define KERNEL_SET extern "C" const struct kernel
#else
#define KERNEL_SET const struct kernel
#endif

/* Each ends with a null name. The first is compiled from the sources, the second translated from the PTX. */
#ifdef __cplusplus
extern "C" {
#endif
extern const struct kernel source_kernels[];
extern const struct kernel ptx_kernels[];
#ifdef __cplusplus
}
#endif
