/*
 * The arithmetic that a verification took, counted in programs compiled with SEALBOOK_COUNT_WORK and nowhere else. A
 * count, unlike a time, is the same in every run: it shows whether an attacker can craft a signature that costs more
 * than an honest one.
 *
 * The unit is one field multiplication in portable code; the weights of the rest are rounded from measured cycles.
 */
#ifndef SEALBOOK_WORK_H
#define SEALBOOK_WORK_H

/* Eight multiplications in lanes of AVX-512 take about the time of two others; an inversion that of a hundred. */
#define WORK_MULTIPLICATION 1
#define WORK_LANES_MULTIPLICATION 2
#define WORK_INVERSION 100

#ifdef SEALBOOK_COUNT_WORK
#include <stdint.h>

/* Units so far; defined by the program that counts. */
extern uint64_t work_counted;

#define WORK(units) (work_counted += (units))
#else
#define WORK(units) ((void)0)
#endif

#endif
