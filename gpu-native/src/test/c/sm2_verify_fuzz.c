/* libFuzzer's entry to sm2_verify_fuzz.h. See NativeBuild, mode fuzz. */
#include "sm2_verify_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t length) {
    if (fuzz_one(input, length) != 0) {
        abort();
    }
    return 0;
}
