#!/usr/bin/env bash
# Measures SM2 verification on a CUDA device: self-test, a million mixed signatures compared, verifiers from Java beside
# the CPU's, then kernels over batch sizes, block sizes, lanes and widths of tables, copies counted and not counted.
#
#   perf/gpu/measure.sh                 builds and measures on this machine
#   perf/gpu/measure.sh built           measures with the jar that is built
#   perf/gpu/measure.sh pack [FILE]     packs all of it with a Java runtime, for a machine that has none
#                                       (default target/gpu-pack.tar.xz)
#
# There, with nothing installed but NVIDIA's driver:
#
#   tar -xJf gpu-pack.tar.xz && gpu-pack/measure.sh [--OPTION=VALUE ...]
#
# Options are those of "perf.jar gpu"; --help prints them. Each part runs in a process of its own with a limit of time,
# because a device that has failed serves its process no more: a part that fails or hangs costs only itself. Each prints
# as it measures, and its output is kept in $OUT (default: gpu-measurement in the working directory), so that a machine
# that is taken away leaves what was measured. All of it ends within $LIMIT_S seconds (default 540).
#
# Exit code: 0 if all parts ran, 1 if one failed, 3 if there is no device.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$PWD/gpu-measurement}
failures=()

# part NAME SECONDS --OPTION=VALUE ...
part() {
    local name=$1 limit=$2 left=$((deadline - SECONDS)) code=0
    shift 2
    if ((left < limit)); then
        limit=$left
    fi
    if ((limit < 1)); then
        failures+=("$name: no time left")
        return 0
    fi
    timeout --kill-after=5 "$limit" "${command[@]}" "$@" 2>&1 | tee "$out/$name.md" || code=${PIPESTATUS[0]}
    case $code in
        0) ;;
        3) exit 3 ;;
        124 | 137) failures+=("$name: not done in $limit s") ;;
        *) failures+=("$name: exit code $code") ;;
    esac
}

# measure JAVA JAR --OPTION=VALUE ...
measure() {
    local java=$1 jar=$2 windows=16:8,8:8,16:13,16:16 option options=()
    shift 2
    for option in "$@"; do
        case $option in
            --windows=*) windows=${option#--windows=} ;;
            *) options+=("$option") ;;
        esac
    done
    # Containers mount the driver's library in places that the loader does not look into.
    local places="/usr/local/nvidia/lib64:/usr/local/cuda/compat:/usr/lib/x86_64-linux-gnu"
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$places"
    command=("$java" --enable-native-access=ALL-UNNAMED -Xmx6g -jar "$jar" gpu)
    deadline=$((SECONDS + ${LIMIT_S:-540}))
    mkdir -p "$out"
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv |
            tee "$out/device.csv" || true
    fi
    part verdicts 150 --parts=verdicts "${options[@]}" "--windows=${windows%%,*}"
    part verifiers 120 --parts=verifiers "${options[@]}" "--windows=${windows%%,*}"
    for window in ${windows//,/ }; do
        part "kernels-${window/:/-}" 100 --parts=kernels "${options[@]}" "--windows=$window"
    done
    echo "Kept in $out"
    if ((${#failures[@]} > 0)); then
        printf 'FAILED %s\n' "${failures[@]}"
        exit 1
    fi
    exit 0
}

if [ -d "$here/jre" ]; then
    measure "${JAVA:-$here/jre/bin/java}" "$here/perf.jar" "$@"
fi

top=$(cd "$here/../.." && pwd)
java_home=${JAVA_HOME:?a JDK 21 or later}
if [ "${1:-}" = built ]; then
    shift
    measure "$java_home/bin/java" "$top/perf/target/perf.jar" "$@"
fi
(cd "$top" && ./mvnw -q -B -DskipTests -pl perf -am package)
if [ "${1:-}" != pack ]; then
    measure "$java_home/bin/java" "$top/perf/target/perf.jar" "$@"
fi
pack=$top/perf/target/gpu-pack
rm -rf "$pack"
mkdir -p "$pack"
cp "$top/perf/target/perf.jar" "$here/measure.sh" "$pack/"
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.sql,jdk.management,jdk.unsupported
"$java_home/bin/jlink" --add-modules "$modules" \
    --strip-debug --no-header-files --no-man-pages --output "$pack/jre"
file=$(realpath -m "${2:-$top/target/gpu-pack.tar.xz}")
mkdir -p "$(dirname "$file")"
tar -C "$(dirname "$pack")" -cf - gpu-pack | xz -T2 -6 >"$file"
ls -l "$file"
