#include "sm2_fe8.h"

#include "fe8_inverse.h"
