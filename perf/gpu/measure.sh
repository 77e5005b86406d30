#!/usr/bin/env bash
# Measures SM2 verification on a CUDA device: self-test, a million mixed signatures compared, then tables over batch
# sizes, block sizes, lanes and widths of tables, copies counted and not counted, and from Java beside the CPU's
# verifiers.
#
#   perf/gpu/measure.sh                 builds and measures on this machine
#   perf/gpu/measure.sh pack [FILE]     packs all of it with a Java runtime, for a machine that has none
#                                       (default target/gpu-pack.tar.xz)
#
# There, with nothing installed but NVIDIA's driver:
#
#   tar -xJf gpu-pack.tar.xz && gpu-pack/measure.sh [--OPTION=VALUE ...] | tee gpu.md
#
# Options and exit codes are those of "perf.jar gpu"; --help prints them.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

measure() {
    local pack=$1
    shift
    # Containers mount the driver's library in places that the loader does not look into.
    local places="/usr/local/nvidia/lib64:/usr/local/cuda/compat:/usr/lib/x86_64-linux-gnu"
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv || true
    fi
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$places"
    exec "${JAVA:-$pack/jre/bin/java}" --enable-native-access=ALL-UNNAMED \
        -Xmx6g -jar "$pack/perf.jar" gpu "$@"
}

if [ -d "$here/jre" ]; then
    measure "$here" "$@"
fi

top=$(cd "$here/../.." && pwd)
pack=$top/perf/target/gpu-pack
java_home=${JAVA_HOME:?a JDK 21 or later}
cd "$top"
rm -rf "$pack"
mkdir -p "$pack"
./mvnw -q -B -DskipTests -pl perf -am package
cp perf/target/perf.jar "$pack/"
if [ "${1:-}" != pack ]; then
    JAVA=$java_home/bin/java measure "$pack" "$@"
fi
cp "$here/measure.sh" "$pack/"
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.sql,jdk.management,jdk.unsupported
"$java_home/bin/jlink" --add-modules "$modules" \
    --strip-debug --no-header-files --no-man-pages --output "$pack/jre"
file=$(realpath -m "${2:-target/gpu-pack.tar.xz}")
mkdir -p "$(dirname "$file")"
tar -C "$(dirname "$pack")" -cf - gpu-pack | xz -T2 -6 >"$file"
ls -l "$file"
