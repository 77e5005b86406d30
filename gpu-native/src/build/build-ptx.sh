#!/usr/bin/env bash
# Makes src/main/resources/io/sealbook/gpu/sealbook.ptx from src/main/cuda, or compares the two.
#
#   src/build/build-ptx.sh          makes it and writes it
#   src/build/build-ptx.sh check    makes it and fails unless it is what is checked in, bit for bit
#
# Needs Linux on x86-64, a JDK 21 or later and Python's pip; no GPU, no driver and no CUDA toolkit. The compiler is
# NVRTC 12.0.140 from its Python package (23 MB, kept below target/), run through JCuda. Another version makes other
# PTX.
set -euo pipefail

package=nvidia-cuda-nvrtc-cu12==12.0.140
wheel=nvidia_cuda_nvrtc_cu12-12.0.140-py3-none-manylinux1_x86_64.whl
sha256=8e94e991d85c422de4da87bdc7472fdc1364367bd4aace7000b559cd33122071

module=$(cd "$(dirname "$0")/../.." && pwd)
nvrtc=$module/target/nvrtc
libraries=$nvrtc/nvidia/cuda_nvrtc/lib

if [ ! -f "$libraries/libnvrtc.so.12" ]; then
    mkdir -p "$nvrtc"
    python3 -m pip download --quiet --no-deps --dest "$nvrtc" "$package"
    echo "$sha256  $nvrtc/$wheel" | sha256sum --check --quiet
    python3 -m zipfile -e "$nvrtc/$wheel" "$nvrtc"
fi

update=true
[ "${1:-}" = check ] && update=false

cd "$module/.."
./mvnw -q -pl gpu-native -am test -Dtest='PtxTest#shouldBeMadeAgainBitForBit' -Dsurefire.failIfNoSpecifiedTests=false \
    -Dsealbook.nvrtc="$libraries" -Dsealbook.ptx.update="$update"
echo "$([ "$update" = true ] && echo wrote || echo compared) gpu-native/src/main/resources/io/sealbook/gpu/sealbook.ptx"
