/* Runs secp256k1_fe8_avx512_checks.c where the processor can. */
#include "cpu.h"
#include "instruction_checks.h"

int main(void) {
    return cpu_has_avx512_ifma() ? secp256k1_fe8_avx512_checks() : check_skipped("AVX-512 IFMA");
}
