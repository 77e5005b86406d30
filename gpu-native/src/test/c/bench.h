/* What a C benchmark needs: processor time, so that busy neighbours count little, and the best of many repetitions. */
#ifndef SEALBOOK_BENCH_H
#define SEALBOOK_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static inline double bench_cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Core cycles per nanosecond, from a chain of multiplications of three cycles each. */
static inline double bench_ghz(void) {
    static double best;
    if (best == 0) {
        double fastest_s = 1;
        for (int i = 0; i < 200; i++) {
            double start_s = bench_cpu_s();
            uint64_t x = 1;
            for (int j = 0; j < 10000; j++) {
                __asm__ volatile("imul %0, %0; imul %0, %0; imul %0, %0; imul %0, %0" : "+r"(x));
            }
            double took_s = bench_cpu_s() - start_s;
            fastest_s = took_s < fastest_s ? took_s : fastest_s;
        }
        best = 120000 / fastest_s * 1e-9;
    }
    return best;
}

static inline void bench_report(const char *name, double best_s, double operations) {
    double ns = best_s / operations * 1e9;
    printf("%-44s %10.1f ns %10.1f cycles %12.0f /s\n", name, ns, ns * bench_ghz(), 1e9 / ns);
}

/* Runs a statement count times in a row, again and again for about half a second, and prints the fastest row. */
#define BENCH(name, count, statement)                                                 \
    do {                                                                              \
        double bench_best_s = 1e9, bench_begin_s = bench_cpu_s();                     \
        do {                                                                          \
            double bench_start_s = bench_cpu_s();                                     \
            for (int bench_i = 0; bench_i < (count); bench_i++) {                     \
                statement;                                                            \
            }                                                                         \
            double bench_took_s = bench_cpu_s() - bench_start_s;                      \
            bench_best_s = bench_took_s < bench_best_s ? bench_took_s : bench_best_s; \
        } while (bench_cpu_s() - bench_begin_s < 0.5);                                \
        bench_report(name, bench_best_s, (count));                                    \
    } while (0)

#endif
