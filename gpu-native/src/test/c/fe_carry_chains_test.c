/* Runs fe_adx_checks.c where the processor can. */
#include "cpu.h"
#include "instruction_checks.h"

int main(void) {
    return cpu_has_adx() ? fe_adx_checks() : check_skipped("MULX and ADX");
}
