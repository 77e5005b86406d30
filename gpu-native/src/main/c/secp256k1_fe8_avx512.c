#include "secp256k1_fe8.h"

#include "fe8_inverse.h"
