/* Eight points of secp256k1 at a time, on AVX-512 IFMA. */
#ifndef SEALBOOK_SECP256K1_GE8_H
#define SEALBOOK_SECP256K1_GE8_H

#include "secp256k1_fe8.h"

#include "ge8_group.h"

#endif
