/* The nonces of nonce.h with HMAC-SM3 for sixteen keys and digests side by side. */
#ifndef SEALBOOK_NONCE_LANES_H
#define SEALBOOK_NONCE_LANES_H

#include "sm3.h"
#include "u256.h"

/*
 * k[i] = the first candidate for the private key *d[i] and the digest e[i] mod n, any number of 256 bits. Constant
 * time.
 */
void nonce_lanes_first(u256 k[SM3_LANES], const u256 *const d[SM3_LANES], const u256 e[SM3_LANES]);

#endif
