package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;

/** A batch as a node's gateway got it. */
public record Submission(int nodeId, ByteString signedBatch) {}
