package io.sealbook.consensus.tool;

import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.file.Path;

/** Where a command takes the configuration at present from. */
interface PresentTerms {
    /**
     * Returns the genesis file's content as the transactions so far have changed it.
     *
     * @throws IOException if a file cannot be read
     */
    Genesis get() throws IOException;

    /**
     * Returns the terms of a member's running node; those of the genesis file if it does not answer.
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
            try (MemberGateway gateway =
                    new MemberGateway(PresentCluster.contact(new NodeDirectory(nodeDirectory)), access, timeoutMs)) {
                return gateway.membership().getTerms();
            } catch (StatusRuntimeException e) {
                return member.genesis().genesis();
            }
        };
    }
}
