package io.sealbook.consensus.tool;

import io.grpc.StatusRuntimeException;
import io.netty.channel.ConnectTimeoutException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;

/** Where a command takes the configuration at present from. */
interface PresentTerms {
    /** A machine that is full answers late; a node that does not run refuses at once. */
    long ANSWER_TIMEOUT_MS = 30_000;

    /**
     * Returns the genesis file's content as the transactions so far have changed it.
     *
     * @throws IOException if a file cannot be read
     */
    Genesis get() throws IOException;

    /**
     * Returns the terms of a member's running node; those of the genesis file if none runs there, so that the system
     * refuses the connection. Anything else is an {@link OperatingFailureException}: the genesis file may be behind.
     *
     * @param nodeDirectory of the member's node
     * @param member as the directory describes it
     * @param timeoutMs longest wait for an answer
     */
    static PresentTerms of(Path nodeDirectory, Member member, long timeoutMs) {
        return () -> of(nodeDirectory, member, MemberGateway.Access.of(nodeDirectory, member), timeoutMs)
                .get();
    }

    /**
     * As {@link #of(Path, Member, long)}, with an access that is open already.
     *
     * @param nodeDirectory of the member's node
     * @param member as the directory describes it
     * @param access of the member
     * @param timeoutMs longest wait for an answer
     */
    static PresentTerms of(Path nodeDirectory, Member member, MemberGateway.Access access, long timeoutMs) {
        return () -> {
            String address = PresentCluster.contact(new NodeDirectory(nodeDirectory));
            try (MemberGateway gateway = new MemberGateway(address, access, timeoutMs)) {
                return gateway.membership().getTerms();
            } catch (StatusRuntimeException e) {
                if (!isRefused(e)) {
                    throw new OperatingFailureException("no terms from " + address + ": " + ClusterSurvey.reason(e), e);
                }
                return member.genesis().genesis();
            }
        };
    }

    private static boolean isRefused(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof ConnectException && !(root instanceof ConnectTimeoutException);
    }
}
