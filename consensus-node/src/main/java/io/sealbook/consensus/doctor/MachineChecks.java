package io.sealbook.consensus.doctor;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.sealbook.commandline.FailureText;
import io.sealbook.keytool.Finding;
import io.sealbook.vocabulary.ProductVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java, memory, descriptors and the directory of temporary files, as a process that is started here gets them. */
final class MachineChecks {
    private static final int JAVA_MIN = 21;
    /** Half of what files leave is the gateway's ({@code Descriptors}): 3,552 brokers' connections with TLS. */
    private static final long DESCRIPTORS_RECOMMENDED = 8_192;

    private static final long DESCRIPTORS_MIN = 1_024;
    private static final long HEAP_MIN = 512L << 20;

    private MachineChecks() {}

    static List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("version", ProductVersion.text()));
        findings.add(java(Runtime.version().feature()));
        findings.add(memory(
                Runtime.getRuntime().maxMemory(),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            findings.add(descriptors(system.getMaxFileDescriptorCount()));
        }
        findings.add(temporaryFiles(Path.of(System.getProperty("java.io.tmpdir"))));
        return findings;
    }

    static Finding java(int feature) {
        String fact = "Java " + Runtime.version() + ", " + System.getProperty("java.vm.name");
        return feature >= JAVA_MIN
                ? Finding.ok("java", fact)
                : Finding.fail("java", fact, "a node needs Java " + JAVA_MIN + " or later");
    }

    /** The heap of a node that is started with the same options as this process. */
    static Finding memory(long heapMax, long machine) {
        String fact = "heap up to " + (heapMax >> 20) + " MiB of " + (machine >> 20) + " MiB";
        if (heapMax < HEAP_MIN) {
            return Finding.warn("memory", fact, "give the node -Xmx768m or more");
        }
        return heapMax > machine / 4 * 3
                ? Finding.warn("memory", fact, "leave a quarter to the system's file cache and the engine: lower -Xmx")
                : Finding.ok("memory", fact);
    }

    static Finding descriptors(long limit) {
        String fact = "limit of open files " + limit;
        String remedy = "raise it to " + DESCRIPTORS_RECOMMENDED + ": LimitNOFILE of the service, or ulimit -n";
        if (limit < DESCRIPTORS_MIN) {
            return Finding.fail("descriptors", fact, remedy);
        }
        return limit < DESCRIPTORS_RECOMMENDED
                ? Finding.warn("descriptors", fact, remedy)
                : Finding.ok("descriptors", fact);
    }

    /** The native library is unpacked there. */
    static Finding temporaryFiles(Path directory) {
        try {
            Files.delete(Files.createTempFile(directory, "doctor", ".tmp"));
            return Finding.ok("temporary files", directory + " can be written");
        } catch (IOException e) {
            return Finding.warn(
                    "temporary files",
                    directory + " cannot be written: " + FailureText.of(e),
                    "signatures fall back to Java: name another directory with -Djava.io.tmpdir=DIR");
        }
    }
}
