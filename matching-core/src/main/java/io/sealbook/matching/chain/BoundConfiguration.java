package io.sealbook.matching.chain;

import io.sealbook.vocabulary.Digest;

/**
 * A configuration that results are bound to.
 *
 * @param block the first block under it
 * @param digest of the configuration, in the first leaf of the block's result tree
 */
public record BoundConfiguration(long block, Digest digest) {}
