package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.administration.Submission;
import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.v1.TransactionOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code admin submit}: hands a transaction in through the member's own node. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        description = {
            "Hands in a transaction that a quorum has approved, through this member's running node, and waits until it",
            "is in a block."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:it is executed, and in effect from the next block on",
            "1:it is refused, at the node's door or in its block, and changes nothing",
            "2:wrong use",
            "3:no result in time; it may still come into a block"
        })
public final class AdminSubmitCommand implements Callable<Integer> {
    static final int REFUSED = 1;
    static final int LATE = 3;
    private static final long CALL_TIMEOUT_MS = 5_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--node-dir",
            required = true,
            paramLabel = "DIR",
            description = "The directory of this member's running node.")
    private Path nodeDirectory;

    @Option(
            names = "--wait-ms",
            defaultValue = "60000",
            description = "Wait for the block at most. Default: ${DEFAULT-VALUE}.")
    private long waitMs;

    @Parameters(paramLabel = "TRANSACTION", description = "File of the transaction.")
    private Path file;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Member member = Member.read(new NodeDirectory(nodeDirectory));
        MemberGateway.Access access = MemberGateway.Access.of(nodeDirectory, member);
        TransactionFile given = TransactionFile.read(file);
        PrintWriter out = spec.commandLine().getOut();
        try {
            ApprovedTerms.of(
                    given.transaction().toByteArray(),
                    PresentTerms.of(
                                    nodeDirectory,
                                    member,
                                    access,
                                    PresentTerms.ANSWER_TIMEOUT_MS,
                                    spec.commandLine().getErr()::println)
                            .get());
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println(file + " is not ready: " + e.getMessage());
            return REFUSED;
        }
        try (MemberGateway gateway =
                new MemberGateway(PresentCluster.contact(new NodeDirectory(nodeDirectory)), access, CALL_TIMEOUT_MS)) {
            TransactionOutcome outcome = new Submission(
                            gateway,
                            member.nodeId(),
                            member.identity(),
                            member.genesis().genesis().getChainId(),
                            waitMs,
                            line -> {
                                out.println(line);
                                out.flush();
                            })
                    .run(given.transaction());
            return report(outcome, out);
        } catch (Submission.NotTakenException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return e.isLate() ? LATE : REFUSED;
        }
    }

    private int report(TransactionOutcome outcome, PrintWriter out) {
        if (outcome.getRefusal().isEmpty()) {
            out.println("executed: transaction " + Long.toUnsignedString(outcome.getNumber()) + " is in block "
                    + outcome.getBlock() + ", in effect from block " + (outcome.getBlock() + 1));
            out.flush();
            return 0;
        }
        spec.commandLine().getErr().println("refused in block " + outcome.getBlock() + ": " + outcome.getRefusal());
        return REFUSED;
    }
}
