package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.AdministrativeTransaction;
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
            "Look at it with 'admin show-transaction' before. The node need not run; if its address refuses",
            "connections, a line reports it, and the approvals of others, and node.key, are judged by the keys of",
            "the genesis file, or by those that --membership proves. A machine from which the node cannot be reached",
            "needs --membership. A file with a wrong approval of another member, or for which node.key is another",
            "key, is left as it is."
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

    @Option(
            names = "--membership",
            paramLabel = "FILE",
            description = {
                "Membership proof, as 'consensus-node.jar light' or 'block-archive.jar members --out' makes it. It has",
                "the keys of added and replaced nodes; no node is asked."
            })
    private Path membershipProof;

    @Parameters(paramLabel = "TRANSACTION", description = "File of the transaction, which is replaced.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Member member = Member.read(new NodeDirectory(nodeDirectory));
        TransactionFile given = TransactionFile.read(file);
        Genesis present = present(member).get();
        TransactionFile.requireFollowed(given.terms(present));
        requireOwnKey(member, present);
        // In the place of an earlier approval of this node, which may be of another key.
        AdministrativeTransaction approved =
                ApprovedTerms.approve(given.transaction(), member.nodeId(), member.identity());
        ApprovedTerms.approvers(approved, present);
        AdminTransactionCommand.print(
                given.replace(approved), present, spec.commandLine().getOut());
        return 0;
    }

    private PresentTerms present(Member member) {
        return membershipProof == null
                ? PresentTerms.of(
                        nodeDirectory,
                        member,
                        PresentTerms.ANSWER_TIMEOUT_MS,
                        spec.commandLine().getErr()::println)
                : PresentTerms.proven(membershipProof, member.genesis());
    }

    /** The file is that of all members: an approval with another key would spoil it for them. */
    private static void requireOwnKey(Member member, Genesis present) {
        int nodeId = member.nodeId();
        Membership membership = Membership.of(present);
        boolean isOwn = membership.hasNode(nodeId)
                && membership
                        .identity(nodeId, membership.identityKeyId(nodeId))
                        .filter(member.identity().verificationKey()::equals)
                        .isPresent();
        if (!isOwn) {
            String terms = present.equals(member.genesis().genesis()) ? "the genesis file" : "the present membership";
            throw new IllegalArgumentException(
                    "not approved: node.key is not the key of node " + nodeId + " in " + terms
                            + "; restore it, or correct node-id. If a transaction has added or replaced the node, give"
                            + " a --membership proof that has it, or start the node");
        }
    }
}
