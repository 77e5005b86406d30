/*
 * Checks whose files are compiled for instructions that not every processor has. Programs that call them have a main in
 * a file without such flags, which asks the processor first: the compiler may use these instructions in any function of
 * a file with flags, main included.
 */
#ifndef SEALBOOK_INSTRUCTION_CHECKS_H
#define SEALBOOK_INSTRUCTION_CHECKS_H

#include "check.h"

/* Needs cpu_has_adx. Returns the exit status of the program. */
int fe_adx_checks(void);

/* Needs cpu_has_avx512_ifma. Returns the exit status of the program. */
int secp256k1_fe8_avx512_checks(void);

/* The exit status of a program whose processor lacks instructions. */
static inline int check_skipped(const char *instructions) {
    printf("needs %s: this processor lacks them\n", instructions);
    return CHECK_SKIPPED;
}

#endif
