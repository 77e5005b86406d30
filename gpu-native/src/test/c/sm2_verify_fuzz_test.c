/*
 * The fuzzer's entry under inputs from a seed, for machines without libFuzzer: bytes at random, small numbers, and
 * numbers near n.
 */
#include "sm2_verify_fuzz.h"

#define ROUNDS 25

static void fill(uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)check_random();
    }
    for (size_t at = 0; at + FUZZ_RECORD_LENGTH <= length; at += FUZZ_RECORD_LENGTH) {
        for (size_t scalar = at + 2; scalar < at + 66; scalar += 32) {
            u256 value, offset = {{check_random() % 64, 0, 0, 0}};
            switch (check_random() % 4) {
                case 0:
                    u256_to_bytes(bytes + scalar, &offset);
                    break;
                case 1:
                    u256_sub(&value, &sm2_ge_order, &offset);
                    u256_to_bytes(bytes + scalar, &value);
                    break;
                case 2:
                    memset(bytes + scalar + 8, check_random() % 2 ? 0xFF : 0, 16);
                    break;
                default:
                    break;
            }
        }
    }
}

int main(void) {
    static uint8_t bytes[FUZZ_RECORDS_MAX * FUZZ_RECORD_LENGTH];
    fuzz_prepare();
    check_random_state = 20261121;
    CHECK(fuzz_one(bytes, 0) == 0);
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = check_random() % (sizeof bytes + 1);
        fill(bytes, length);
        CHECK(fuzz_one(bytes, length) == 0);
    }
    return check_result();
}
