package io.sealbook.perf.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * JMH's own command line, with the flags that Agrona, Chronicle and JNI want given to the virtual machines that it
 * forks: a manifest reaches only the first one.
 */
public final class Benchmarks {
    private static final String PREPEND = "-jvmArgsPrepend";
    private static final String[] JVM_FLAGS = {
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED"
    };

    private Benchmarks() {}

    /** Takes what JMH takes; {@code -h} lists it. */
    public static void main(String[] arguments) throws IOException {
        org.openjdk.jmh.Main.main(withFlags(arguments));
    }

    /** Returns the flags for a virtual machine that runs benchmarks. */
    public static String[] jvmFlags() {
        return JVM_FLAGS.clone();
    }

    static String[] withFlags(String[] arguments) {
        if (Arrays.asList(arguments).contains(PREPEND)) {
            return arguments;
        }
        return Stream.concat(Arrays.stream(arguments), Stream.of(PREPEND, String.join(" ", JVM_FLAGS)))
                .toArray(String[]::new);
    }
}
