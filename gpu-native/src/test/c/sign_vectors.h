/* Known signatures, and what both the tests of signing and the test of secrets need to make them. */
#ifndef SEALBOOK_SIGN_VECTORS_H
#define SEALBOOK_SIGN_VECTORS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *scalar, *message, *signature; /* signature: r || s || v */
} sign_vector;

/* Vectors that several secp256k1 libraries have in common; v from the Java signer. */
static const sign_vector secp256k1_vectors[] = {
        {"0000000000000000000000000000000000000000000000000000000000000001", "Satoshi Nakamoto",
                "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
                "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e501"},
        {"0000000000000000000000000000000000000000000000000000000000000001",
                "All those moments will be lost in time, like tears in rain. Time to die...",
                "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b"
                "547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21"},
        {"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", "Satoshi Nakamoto",
                "fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0"
                "6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5"},
        {"f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181", "Alan Turing",
                "7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c"
                "58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea"},
};

static inline void from_hex(uint8_t *bytes, const char *hex, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned value;
        sscanf(hex + 2 * i, "%2x", &value);
        bytes[i] = (uint8_t)value;
    }
}

#endif
