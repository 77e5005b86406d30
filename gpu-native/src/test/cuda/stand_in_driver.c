/*
 * A libcuda.so.1 for tests: the entry points that this module calls through JCuda, with device memory in the heap and
 * kernels on the calling thread. Everything is done when it is asked for; a stream or event holds nothing but whether
 * it hangs.
 *
 * The text given to cuModuleLoadData chooses the kernels: PTX runs ptx_kernels, whose translation is linked in and must
 * be that of this PTX; a text that begins with "source" runs source_kernels. Words in that text make the driver fail on
 * purpose:
 *
 *     fail-launch     every launch of a verification reports an error
 *     wrong-verdict   every verdict of a verification is turned round
 *     hang            a launch of a verification returns, and what waits for its stream waits for ever
 *     hang-load       loading the text does not return
 *
 * A process that runs the product's own kernels is made to fail while it runs: the file that the environment variable
 * SEALBOOK_STAND_IN_FAULT names may hold such a word; it is read at each launch.
 */
#include "kernel_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef int cu_result;
typedef uint64_t device_pointer;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_FAILED = 719,
};

enum { ATTRIBUTE_MULTIPROCESSORS = 16, ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

static const size_t memory_bytes = (size_t)2 << 30;

enum { FAULTS_LENGTH = 64 };

struct module {
    const struct kernel *kernels;
    /* Words of faults; empty for PTX. */
    char faults[FAULTS_LENGTH];
};

struct function {
    struct kernel kernel;
    const struct module *module;
};

EXPORT cu_result cuInit(unsigned flags) {
    (void)flags;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuDriverGetVersion(int *version) {
    *version = 12060;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT cu_result cuDeviceGetName(char *name, int length, int device) {
    (void)device;
    strncpy(name, "Stand-in device", (size_t)length);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuDeviceTotalMem_v2(size_t *bytes, int device) {
    (void)device;
    *bytes = memory_bytes;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    *free_bytes = memory_bytes;
    *total_bytes = memory_bytes;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == ATTRIBUTE_MAJOR           ? 9
           : attribute == ATTRIBUTE_MINOR           ? 0
           : attribute == ATTRIBUTE_MULTIPROCESSORS ? 1
                                                    : 0;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuCtxCreate_v2(void **context, unsigned flags, int device) {
    (void)flags;
    (void)device;
    *context = malloc(1);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuCtxDestroy_v2(void *context) {
    free(context);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuCtxSetCurrent(void *context) {
    (void)context;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuModuleLoadData(void **module, const void *image) {
    const char *text = image;
    struct module *loaded = calloc(1, sizeof *loaded);
    if (strncmp(text, "source", 6) == 0) {
        loaded->kernels = source_kernels;
    } else if (strstr(text, ".version") != NULL) {
        loaded->kernels = ptx_kernels;
    } else {
        free(loaded);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (loaded->kernels == source_kernels) {
        strncpy(loaded->faults, text, FAULTS_LENGTH - 1);
    }
    while (strstr(loaded->faults, "hang-load") != NULL) {
        sleep(1);
    }
    *module = loaded;
    return CUDA_SUCCESS;
}

/* Leaks the functions: a test's process is short, and their owner does not give them back. */
EXPORT cu_result cuModuleUnload(void *module) {
    free(module);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuModuleGetFunction(void **function, void *module, const char *name) {
    const struct module *loaded = module;
    for (const struct kernel *kernel = loaded->kernels; kernel->name != NULL; kernel++) {
        if (strcmp(kernel->name, name) == 0) {
            struct function *found = malloc(sizeof *found);
            found->kernel = *kernel;
            found->module = loaded;
            *function = found;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

EXPORT cu_result cuMemAlloc_v2(device_pointer *pointer, size_t bytes) {
    void *memory = aligned_alloc(256, (bytes + 255) & ~(size_t)255);
    *pointer = (device_pointer)memory;
    return memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT cu_result cuMemFree_v2(device_pointer pointer) {
    free((void *)pointer);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    *pointer = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);
    return *pointer != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT cu_result cuMemFreeHost(void *pointer) {
    free(pointer);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuMemcpyHtoD_v2(device_pointer to, const void *from, size_t bytes) {
    memcpy((void *)to, from, bytes);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuMemcpyDtoH_v2(void *to, device_pointer from, size_t bytes) {
    memcpy(to, (const void *)from, bytes);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuMemcpyHtoDAsync_v2(device_pointer to, const void *from, size_t bytes, void *stream) {
    (void)stream;
    return cuMemcpyHtoD_v2(to, from, bytes);
}

EXPORT cu_result cuMemcpyDtoHAsync_v2(void *to, device_pointer from, size_t bytes, void *stream) {
    (void)stream;
    return cuMemcpyDtoH_v2(to, from, bytes);
}

EXPORT cu_result cuStreamCreate(void **stream, unsigned flags) {
    (void)flags;
    *stream = calloc(1, 1);
    return CUDA_SUCCESS;
}

static cu_result wait_for(const char *is_hanging) {
    while (is_hanging != NULL && *is_hanging != 0) {
        sleep(1);
    }
    return CUDA_SUCCESS;
}

EXPORT cu_result cuStreamSynchronize(void *stream) {
    return wait_for(stream);
}

EXPORT cu_result cuStreamDestroy_v2(void *stream) {
    free(stream);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    *event = calloc(1, 1);
    return CUDA_SUCCESS;
}

EXPORT cu_result cuEventRecord(void *event, void *stream) {
    *(char *)event = stream != NULL ? *(const char *)stream : 0;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuEventSynchronize(void *event) {
    return wait_for(event);
}

EXPORT cu_result cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    (void)start;
    (void)end;
    *milliseconds = 1;
    return CUDA_SUCCESS;
}

EXPORT cu_result cuEventDestroy_v2(void *event) {
    free(event);
    return CUDA_SUCCESS;
}

static int has_fault(const struct module *module, const char *fault) {
    const char *path = getenv("SEALBOOK_STAND_IN_FAULT");
    char words[FAULTS_LENGTH] = "";
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file != NULL) {
        size_t length = fread(words, 1, sizeof words - 1, file);
        words[length] = 0;
        fclose(file);
    }
    return strstr(module->faults, fault) != NULL || strstr(words, fault) != NULL;
}

static void turn_verdicts(uint8_t *verdicts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        verdicts[i] ^= 1;
    }
}

EXPORT cu_result cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
        unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra) {
    const struct function *launched = function;
    int is_verification = strncmp(launched->kernel.name, "sm2_verify", 10) == 0;
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_x > 1024 || block_y != 1 || block_z != 1
            || shared_bytes != 0 || extra != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (is_verification && has_fault(launched->module, "fail-launch")) {
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    if (is_verification && stream != NULL && has_fault(launched->module, "hang")) {
        *(char *)stream = 1;
        return CUDA_SUCCESS;
    }
    for (unsigned block = 0; block < grid_x; block++) {
        for (unsigned thread = 0; thread < block_x; thread++) {
            launched->kernel.run(arguments, thread, block_x, block);
        }
    }
    if (is_verification && has_fault(launched->module, "wrong-verdict")) {
        int is_known = strcmp(launched->kernel.name, "sm2_verify_known_keys") == 0;
        turn_verdicts(*(uint8_t **)arguments[is_known ? 4 : 3], *(uint32_t *)arguments[is_known ? 5 : 4]);
    }
    return CUDA_SUCCESS;
}
