package io.sealbook.node.member;

import io.sealbook.vocabulary.Digest;

/**
 * What became of an administrative transaction that is in a block.
 *
 * @param block that holds it
 * @param number that the transaction gave itself; 0 if it could not be read
 * @param proposer node in whose session its batch is
 * @param batchId of its batch
 * @param refusal why it changed nothing; empty if it was executed
 * @param reason what its makers wrote for people
 */
public record TransactionFate(long block, long number, int proposer, Digest batchId, String refusal, String reason) {}
