package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;

/**
 * What a result digest takes of a block.
 *
 * @param leafCount number of leaves of the block's result tree
 * @param hash its root
 */
public record ResultRoot(int leafCount, Digest hash) {}
