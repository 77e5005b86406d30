package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.ChangeText;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code admin show-transaction}: what a transaction would change, and who has approved it. */
@Command(
        name = "show-transaction",
        mixinStandardHelpOptions = true,
        description = "Prints what a transaction would change, and which members have approved it.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:a quorum has approved it", "1:a quorum has not, or an approval is wrong", "2:wrong use"})
public final class AdminTransactionCommand implements Callable<Integer> {
    private static final int NOT_APPROVED = 1;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Source source;

    private static final class Source {
        @Option(
                names = "--genesis",
                paramLabel = "FILE",
                description = "The genesis file of the chain: right until a node is replaced, or with --membership.")
        private Path genesis;

        @Option(
                names = "--node-dir",
                paramLabel = "DIR",
                description = "The directory of a member's running node, which has the nodes' keys at present.")
        private Path nodeDirectory;
    }

    @Option(
            names = "--membership",
            paramLabel = "FILE",
            description = "With --genesis: membership proof, which has the keys of added and replaced nodes.")
    private Path membershipProof;

    @Parameters(paramLabel = "TRANSACTION", description = "File of the transaction.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        return print(TransactionFile.read(file), members(), spec.commandLine().getOut()) ? 0 : NOT_APPROVED;
    }

    private Genesis members() throws IOException {
        if (source.genesis == null) {
            if (membershipProof != null) {
                throw new ParameterException(spec.commandLine(), "--membership needs --genesis");
            }
            return PresentTerms.of(
                            source.nodeDirectory,
                            Member.read(new NodeDirectory(source.nodeDirectory)),
                            PresentTerms.ANSWER_TIMEOUT_MS,
                            spec.commandLine().getErr()::println)
                    .get();
        }
        GenesisFile genesis = GenesisFile.parse(Files.readAllBytes(source.genesis));
        return membershipProof == null
                ? genesis.genesis()
                : PresentTerms.proven(membershipProof, genesis).get();
    }

    /**
     * Prints a transaction.
     *
     * @param file of it
     * @param genesis of the chain, or a later configuration of it
     * @param out receives the lines
     * @return whether a quorum has approved it
     * @throws IllegalArgumentException if it is of another chain, or an approval is wrong
     */
    static boolean print(TransactionFile file, Genesis genesis, PrintWriter out) {
        ChangeText.lines(file.terms(genesis)).forEach(out::println);
        SortedSet<Integer> approvers = ApprovedTerms.approvers(file.transaction(), genesis);
        int missing = Math.max(0, Membership.of(genesis).quorum() - approvers.size());
        out.println("approved by nodes " + approvers
                + (missing == 0 ? ", a quorum: it can be submitted" : ", " + missing + " more must approve"));
        out.flush();
        return missing == 0;
    }
}
