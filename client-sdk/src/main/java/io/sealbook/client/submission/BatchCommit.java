package io.sealbook.client.submission;

import com.google.protobuf.ByteString;

/**
 * What a node says of a batch that it has committed; receipts agree when these are equal.
 *
 * @param batchIndex position in the block, from 0
 * @param blockTimeNs nanoseconds since 1970
 * @param blockHash of the block's header
 */
record BatchCommit(long blockSequence, int batchIndex, long blockTimeNs, ByteString blockHash) {}
