package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;

/**
 * One batch named in a proposal.
 *
 * @param batchId digest of the batch
 * @param arrivalTimeNs when the primary first held it, nanoseconds since the epoch by the primary's clock
 */
public record ProposedBatch(Digest batchId, long arrivalTimeNs) {}
