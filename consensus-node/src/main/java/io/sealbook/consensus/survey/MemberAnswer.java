package io.sealbook.consensus.survey;

import io.sealbook.protocol.v1.NodeStatus;
import java.util.Optional;

/**
 * What a member said.
 *
 * @param nodeId of the member
 * @param status empty if it did not answer
 * @param failure why not, in one line; empty if it answered
 */
public record MemberAnswer(int nodeId, Optional<NodeStatus> status, String failure) {
    /**
     * Returns an answer.
     *
     * @param nodeId of the member that was asked
     * @param status that came
     */
    public static MemberAnswer of(int nodeId, NodeStatus status) {
        return new MemberAnswer(nodeId, Optional.of(status), "");
    }

    /**
     * Returns that there was no answer.
     *
     * @param nodeId of the member that was asked
     * @param failure why, in one line
     */
    public static MemberAnswer missing(int nodeId, String failure) {
        return new MemberAnswer(nodeId, Optional.empty(), failure);
    }
}
