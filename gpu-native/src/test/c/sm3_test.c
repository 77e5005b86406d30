/* SM3 against the standard's examples, and all its ways of hashing against one another. */
#include "check.h"
#include "sm3.h"

#define MESSAGES 41
#define LENGTH_MAX 260

static void check_digest(const uint8_t *message, size_t length, const char *expected) {
    sm3_state state;
    uint8_t digest[SM3_DIGEST_LENGTH];
    char hex[2 * SM3_DIGEST_LENGTH + 1];
    sm3_init(&state);
    sm3_update(&state, message, length);
    sm3_final(&state, digest);
    for (int i = 0; i < SM3_DIGEST_LENGTH; i++) {
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
    CHECK(strcmp(hex, expected) == 0);
}

/* GB/T 32905-2016, annex A. */
static void should_give_digests_of_the_standard(void) {
    uint8_t text[64];
    check_digest((const uint8_t *)"abc", 3, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    for (int i = 0; i < 64; i++) {
        text[i] = (uint8_t) "abcd"[i % 4];
    }
    check_digest(text, 64, "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732");
    check_digest(text, 0, "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b");
}

static void should_not_depend_on_the_pieces(void) {
    uint8_t text[LENGTH_MAX], whole[SM3_DIGEST_LENGTH], pieces[SM3_DIGEST_LENGTH];
    for (int i = 0; i < LENGTH_MAX; i++) {
        text[i] = (uint8_t)check_random();
    }
    for (size_t length = 0; length <= LENGTH_MAX; length++) {
        sm3_state state;
        sm3_init(&state);
        sm3_update(&state, text, length);
        sm3_final(&state, whole);
        sm3_init(&state);
        for (size_t done = 0; done < length;) {
            size_t piece = check_random() % 80;
            piece = piece < length - done ? piece : length - done;
            sm3_update(&state, text + done, piece);
            done += piece;
        }
        sm3_final(&state, pieces);
        CHECK(memcmp(whole, pieces, SM3_DIGEST_LENGTH) == 0);
    }
}

/* Every length around the borders of blocks, and counts that leave lanes empty. */
static void should_digest_many_like_one(void) {
    static uint8_t texts[MESSAGES][LENGTH_MAX], identities[3][SM2_Z_LENGTH], e[MESSAGES][SM3_DIGEST_LENGTH];
    const uint8_t *messages[MESSAGES], *z[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        for (int j = 0; j < LENGTH_MAX; j++) {
            texts[i][j] = (uint8_t)check_random();
        }
        for (int j = 0; j < SM2_Z_LENGTH; j++) {
            identities[i % 3][j] = (uint8_t)check_random();
        }
        messages[i] = texts[i];
        z[i] = identities[i % 3];
    }
    for (size_t length = 0; length < LENGTH_MAX; length++) {
        size_t count = length % (MESSAGES + 1);
        memset(e, 0, sizeof e);
        sm3_sm2_digests(e, z, messages, length, count);
        for (size_t i = 0; i < count; i++) {
            uint8_t expected[SM3_DIGEST_LENGTH];
            sm3_state state;
            sm3_init(&state);
            sm3_update(&state, z[i], SM2_Z_LENGTH);
            sm3_update(&state, messages[i], length);
            sm3_final(&state, expected);
            CHECK(memcmp(e[i], expected, SM3_DIGEST_LENGTH) == 0);
        }
    }
}

int main(void) {
    should_give_digests_of_the_standard();
    should_not_depend_on_the_pieces();
    should_digest_many_like_one();
    return check_result();
}
