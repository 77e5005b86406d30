package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import java.util.Arrays;

/** A batch as a node's gateway got it. */
public record Submission(int nodeId, ByteString signedBatch) {

    @Override
    public String toString() {
        return nodeId + ":" + Integer.toHexString(Arrays.hashCode(signedBatch.toByteArray()));
    }
}
