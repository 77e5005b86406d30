/*
 * Compares the work of crafted signatures with that of honest ones. A template: the including file defines WORK_RECORD,
 * the type of a record, verify(records, states, count), and as_signed(record, i), which makes an honest record.
 */
#include "work.h"

#define BATCH_MAX 128

uint64_t work_counted;

/* Whether keys have tables. */
static int has_table;

/* Fills one record and returns the state to verify it from. */
typedef uint8_t (*maker)(WORK_RECORD *record, int i);

static uint64_t work_of(const WORK_RECORD *records, const uint8_t *states, int count) {
    uint8_t verdicts[BATCH_MAX];
    memcpy(verdicts, states, (size_t)count);
    work_counted = 0;
    verify(records, verdicts, count);
    return work_counted;
}

/*
 * Checks that count records of a maker, alone and each amid honest ones, cost at most so many percent of honest ones.
 */
static void check_work(const char *name, maker make, int percent_max, int percent_amid_max) {
    static WORK_RECORD honest_records[BATCH_MAX], records[BATCH_MAX];
    static uint8_t honest_states[BATCH_MAX], states[BATCH_MAX];
    static const int sizes[] = {1, 4, 16, 128};
    for (int i = 0; i < BATCH_MAX; i++) {
        honest_states[i] = as_signed(&honest_records[i], i);
        states[i] = make(&records[i], i);
        if (!has_table) {
            honest_records[i].table = records[i].table = 0;
        }
    }
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int size = sizes[i];
        uint64_t expected = work_of(honest_records, honest_states, size), crafted = work_of(records, states, size);
        uint64_t amid = 0;
        for (int j = 0; j < size; j++) {
            WORK_RECORD kept = honest_records[size / 2];
            uint8_t kept_state = honest_states[size / 2];
            honest_records[size / 2] = records[j];
            honest_states[size / 2] = states[j];
            uint64_t work = work_of(honest_records, honest_states, size);
            amid = work > amid ? work : amid;
            honest_records[size / 2] = kept;
            honest_states[size / 2] = kept_state;
        }
        int percent = (int)(crafted * 100 / expected), percent_amid = (int)(amid * 100 / expected);
        printf("%-8s %-16s %4d: honest %8" PRIu64 " crafted %4d %% one amid honest %4d %%\n",
                has_table ? "known" : "unknown", name, size, expected, percent, percent_amid);
        CHECK(percent <= percent_max);
        CHECK(size == 1 ? percent_amid <= percent_max : percent_amid <= percent_amid_max);
    }
}
