/*
 * What a C benchmark needs: processor time, so that busy neighbours count little, and the median of many rows, because
 * the clock of a virtual machine jumps in both directions.
 */
#ifndef SEALBOOK_BENCH_H
#define SEALBOOK_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BENCH_ROWS_MAX 8192
#define BENCH_ROWS_MIN 9
#define BENCH_TIME_S 0.5

static inline double bench_cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Rows measured so far, seconds each. */
typedef struct {
    double rows[BENCH_ROWS_MAX];
    int count;
    double begin_s, row_s;
} bench;

static inline void bench_begin(bench *b) {
    b->count = 0;
    b->begin_s = bench_cpu_s();
}

/* Returns 1 while there are rows to be measured. */
static inline int bench_goes_on(const bench *b) {
    return b->count < BENCH_ROWS_MIN || (b->count < BENCH_ROWS_MAX && bench_cpu_s() - b->begin_s < BENCH_TIME_S);
}

static inline void bench_row_begin(bench *b) {
    b->row_s = bench_cpu_s();
}

static inline void bench_row_end(bench *b) {
    b->rows[b->count++] = bench_cpu_s() - b->row_s;
}

static inline int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the row that a share of rows is faster than; 0.5 is the median. Sorts them. */
static inline double bench_quantile_s(bench *b, double share) {
    qsort(b->rows, (size_t)b->count, sizeof *b->rows, bench_compare);
    return b->rows[(int)(share * (b->count - 1))];
}

/* Core cycles per nanosecond, from a chain of multiplications of three cycles each. */
static inline double bench_ghz(void) {
    static double ghz;
    if (ghz == 0) {
        static bench b;
        bench_begin(&b);
        while (b.count < 200) {
            uint64_t x = 1;
            bench_row_begin(&b);
            for (int j = 0; j < 10000; j++) {
                __asm__ volatile("imul %0, %0; imul %0, %0; imul %0, %0; imul %0, %0" : "+r"(x));
            }
            bench_row_end(&b);
        }
        ghz = 120000 / bench_quantile_s(&b, 0.5) * 1e-9;
    }
    return ghz;
}

/* Prints the median, and between which rates the middle half of all rows lies. */
static inline void bench_report(const char *name, bench *b, double operations) {
    double ns = bench_quantile_s(b, 0.5) / operations * 1e9;
    printf("%-44s %10.1f ns %10.1f cycles %12.0f /s  (%.0f..%.0f)\n", name, ns, ns * bench_ghz(), 1e9 / ns,
            operations / bench_quantile_s(b, 0.75), operations / bench_quantile_s(b, 0.25));
}

/* Runs a statement count times in a row, again and again for about half a second, and prints the median of the rows. */
#define BENCH(name, times, statement)                             \
    do {                                                          \
        static bench bench_rows;                                  \
        bench_begin(&bench_rows);                                 \
        while (bench_goes_on(&bench_rows)) {                      \
            bench_row_begin(&bench_rows);                         \
            for (int bench_i = 0; bench_i < (times); bench_i++) { \
                statement;                                        \
            }                                                     \
            bench_row_end(&bench_rows);                           \
        }                                                         \
        bench_report(name, &bench_rows, (times));                 \
    } while (0)

#endif
