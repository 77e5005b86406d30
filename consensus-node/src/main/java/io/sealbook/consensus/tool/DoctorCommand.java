package io.sealbook.consensus.tool;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.doctor.NodeDoctor;
import io.sealbook.keytool.Finding;
import io.sealbook.protocol.v1.DoctorFinding;
import io.sealbook.protocol.v1.DoctorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code doctor}: checks a node's directory, its machine and what the other members say. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Checks, before a start and beside a running node: Java, memory, descriptors, disk, settings, genesis file",
            "and its signatures, key, certificates, ports, and of the members that answer chain, genesis file, version",
            "and clock. One line per check: OK, WARN or FAIL with the fact and what to do."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:no check fails; there may be warnings", "1:a check fails", "2:wrong use"})
public final class DoctorCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    @Option(
            names = "--timeout-ms",
            defaultValue = "10000",
            description = "Wait for an answer of each member, in ms. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Parameters(paramLabel = "DIR", description = "The node's directory.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        List<Finding> findings = new NodeDoctor(new NodeDirectory(directory), timeoutMs).run();
        boolean isHealthy = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.FAIL);
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(report(findings, isHealthy)));
        } else {
            findings.forEach(finding -> out.println(finding.line()));
        }
        out.flush();
        return isHealthy ? 0 : FAILED;
    }

    private static DoctorReport report(List<Finding> findings, boolean isHealthy) {
        DoctorReport.Builder report = DoctorReport.newBuilder().setHealthy(isHealthy);
        findings.forEach(finding -> report.addFindings(DoctorFinding.newBuilder()
                .setLevel(finding.level().name())
                .setCheck(finding.check())
                .setFact(finding.fact())
                .setRemedy(finding.remedy())));
        return report.build();
    }
}
