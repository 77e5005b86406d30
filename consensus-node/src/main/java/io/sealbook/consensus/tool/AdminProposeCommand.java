package io.sealbook.consensus.tool;

import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code admin propose}: writes a transaction for the members to approve. */
@Command(
        name = "propose",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a transaction to a file, for the members to approve. Nothing is sent.",
            "With --node-dir the number is the next one, asked from the node; with --genesis it must be given."
        })
public final class AdminProposeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--node-dir", paramLabel = "DIR", description = "The directory of this member's running node.")
    private Path nodeDirectory;

    @Option(names = "--genesis", paramLabel = "FILE", description = "The genesis file, instead of a directory.")
    private Path genesis;

    @Option(names = "--number", description = "Number of the transaction: that of the last executed one plus 1.")
    private Long number;

    @Option(names = "--reason", defaultValue = "", description = "For the people who approve and audit it.")
    private String reason;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "New file of the transaction.")
    private Path out;

    @Option(
            names = "--timeout-ms",
            defaultValue = "30000",
            description = "Wait for an answer of the node, in ms. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    private MembershipView view;

    @Mixin
    private ChangeOptions changes = new ChangeOptions();

    @Override
    public Integer call() throws IOException {
        if (Files.exists(out)) {
            throw new ParameterException(
                    spec.commandLine(), "--out " + out + ": the file exists, and is not overwritten");
        }
        try {
            AdministrativeTerms terms = AdministrativeTerms.newBuilder()
                    .setChainId(genesis().getChainId())
                    .addAllChanges(changes.changes(this::present))
                    .setNumber(number())
                    .setReason(reason)
                    .build();
            TransactionFile.requireFollowed(terms);
            TransactionFile.create(out, terms).terms(genesis());
            ChangeText.lines(terms).forEach(spec.commandLine().getOut()::println);
            return 0;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Genesis genesis() throws IOException {
        if (genesis != null) {
            return GenesisFile.parse(Files.readAllBytes(genesis)).genesis();
        }
        if (nodeDirectory == null) {
            throw new ParameterException(spec.commandLine(), "needs --node-dir, or --genesis and --number");
        }
        return new NodeDirectory(nodeDirectory).readGenesis().genesis();
    }

    private long number() throws IOException {
        if (number != null) {
            return number;
        }
        if (nodeDirectory == null) {
            throw new ParameterException(spec.commandLine(), "needs --number without --node-dir");
        }
        return view().getNumber() + 1;
    }

    /**
     * Without a node, the genesis file is all that is known. With one, the nodes are where they are at present: a
     * transaction that kept the address of the terms would undo a move, for all that have no record of the new key.
     */
    private Genesis present() throws IOException {
        return nodeDirectory == null
                ? genesis()
                : PresentCluster.at(new NodeDirectory(nodeDirectory), view().getTerms());
    }

    private MembershipView view() throws IOException {
        if (view == null) {
            String address = PresentCluster.contact(new NodeDirectory(nodeDirectory));
            try {
                view = PresentTerms.membership(
                        address,
                        MemberGateway.Access.of(nodeDirectory),
                        timeoutMs,
                        spec.commandLine().getErr()::println);
            } catch (StatusRuntimeException e) {
                throw new OperatingFailureException("no answer from " + address + ": " + ClusterSurvey.reason(e), e);
            }
        }
        return view;
    }
}
