package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code admin approve}: adds the signature of a member to a transaction. */
@Command(
        name = "approve",
        mixinStandardHelpOptions = true,
        description = {
            "Prints what a transaction changes, and adds this member's approval to its file, signed with node.key.",
            "Look at it with 'admin show-transaction' before. The node need not run; if it does not, the approvals of",
            "others are judged by the keys of the genesis file."
        })
public final class AdminApproveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--node-dir",
            required = true,
            paramLabel = "DIR",
            description = "The directory of this member's node.")
    private Path nodeDirectory;

    @Parameters(paramLabel = "TRANSACTION", description = "File of the transaction, which is replaced.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Member member = Member.read(new NodeDirectory(nodeDirectory));
        TransactionFile given = TransactionFile.read(file);
        Genesis present = PresentTerms.of(nodeDirectory, member, PresentTerms.ANSWER_TIMEOUT_MS)
                .get();
        TransactionFile.requireFollowed(given.terms(present));
        ApprovedTerms.approvers(given.transaction(), present);
        TransactionFile approved =
                given.replace(ApprovedTerms.approve(given.transaction(), member.nodeId(), member.identity()));
        AdminTransactionCommand.print(approved, present, spec.commandLine().getOut());
        return 0;
    }
}
