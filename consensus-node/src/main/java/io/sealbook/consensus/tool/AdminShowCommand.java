package io.sealbook.consensus.tool;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.v1.AuditorStatus;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.TransactionOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code admin show}: the consortium as running nodes have it. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints nodes, brokers, keys, instruments and auditors at present, and recent transactions.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all that were asked answered; members with equal numbers of transactions have equal digests",
            "1:members with equal numbers of transactions differ",
            "2:wrong use",
            "3:a node did not answer"
        })
public final class AdminShowCommand implements Callable<Integer> {
    private static final int DIFFERENT = 1;
    private static final int NO_ANSWER = 3;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Target target;

    @Option(names = "--json", description = "Print what the node answers as one JSON object.")
    private boolean isJson;

    @Option(names = "--log", description = "Print the last transactions only, and what became of them.")
    private boolean isLog;

    @Option(
            names = "--timeout-ms",
            defaultValue = "10000",
            description = "Wait for an answer, in ms. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    private static final class Target {
        @Option(
                names = "--cluster",
                paramLabel = "DIR",
                description = "Ask all present members; with TLS, DIR is that of a member's node.")
        private Path cluster;

        @Option(names = "--node", paramLabel = "HOST:PORT", description = "Ask the gateway of one node, without TLS.")
        private String node;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            return target.node != null ? showNode(out) : showCluster(out);
        } finally {
            out.flush();
        }
    }

    private int showNode(PrintWriter out) throws IOException {
        MembershipView view = ask(target.node, MemberGateway.Access.PLAIN);
        if (view == null) {
            return NO_ANSWER;
        }
        print(view, out);
        return 0;
    }

    private int showCluster(PrintWriter out) throws IOException, InterruptedException {
        MemberGateway.Access access = MemberGateway.Access.of(target.cluster);
        Map<Long, ByteString> digests = new HashMap<>();
        MembershipView newest = null;
        int exitCode = 0;
        Genesis known = PresentCluster.known(new NodeDirectory(target.cluster), access.genesis());
        for (Node node : PresentCluster.ask(known, access, timeoutMs).getNodesList()) {
            MembershipView view = ask(MemberGateway.address(node), access);
            if (view == null) {
                exitCode = exitCode == DIFFERENT ? DIFFERENT : NO_ANSWER;
                continue;
            }
            if (!isJson) {
                out.println("node " + node.getNodeId() + ": " + line(view));
            }
            ByteString other = digests.putIfAbsent(view.getNumber(), view.getDigest());
            if (other != null && !other.equals(view.getDigest())) {
                spec.commandLine()
                        .getErr()
                        .println("CONTRADICTION: node " + node.getNodeId() + " has another digest than others after "
                                + Long.toUnsignedString(view.getNumber()) + " transactions");
                exitCode = DIFFERENT;
            }
            newest = newest == null || view.getNumber() > newest.getNumber() ? view : newest;
        }
        if (newest != null) {
            print(newest, out);
        }
        return exitCode;
    }

    private MembershipView ask(String address, MemberGateway.Access access) {
        try (MemberGateway gateway = new MemberGateway(address, access, timeoutMs)) {
            return gateway.membership();
        } catch (StatusRuntimeException e) {
            spec.commandLine().getErr().println("no answer from " + address + ": " + ClusterSurvey.reason(e));
            return null;
        }
    }

    private static String line(MembershipView view) {
        return Long.toUnsignedString(view.getNumber()) + " transactions, the last in block " + view.getBlock()
                + ", digest " + HexFormat.of().formatHex(view.getDigest().toByteArray());
    }

    private void print(MembershipView view, PrintWriter out) throws IOException {
        if (isJson) {
            out.println(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(view));
            return;
        }
        if (!isLog) {
            out.println("membership: " + line(view));
            printTerms(view, out);
        }
        view.getRecentList().forEach(outcome -> out.println(text(outcome)));
    }

    private static void printTerms(MembershipView view, PrintWriter out) {
        out.println("epoch " + Integer.toUnsignedString(view.getEpoch()) + " from block " + (view.getEpochBlock() + 1));
        view.getTerms().getNodesList().forEach(node -> out.println(ChangeText.line(node)));
        view.getTerms()
                .getBrokersList()
                .forEach(broker -> out.println(ChangeText.line(broker) + status(broker.getStatus())));
        view.getTerms()
                .getInstrumentsList()
                .forEach(instrument -> out.println(ChangeText.line(instrument)
                        + (instrument.getStatus() == InstrumentStatus.INSTRUMENT_HALTED ? ", HALTED" : "")));
        view.getTerms()
                .getAuditorsList()
                .forEach(auditor -> out.println(ChangeText.line(auditor)
                        + (auditor.getStatus() == AuditorStatus.AUDITOR_REMOVED ? ", REMOVED" : "")));
    }

    private static String status(BrokerStatus status) {
        return switch (status) {
            case BROKER_SUSPENDED -> ", SUSPENDED";
            case BROKER_REMOVED -> ", REMOVED";
            default -> "";
        };
    }

    private static String text(TransactionOutcome outcome) {
        return "transaction " + Long.toUnsignedString(outcome.getNumber()) + " of node " + outcome.getProposer()
                + " in block " + outcome.getBlock()
                + (outcome.getRefusal().isEmpty() ? ": executed" : ": refused, " + outcome.getRefusal())
                + (outcome.getReason().isEmpty() ? "" : " (" + outcome.getReason() + ")");
    }
}
