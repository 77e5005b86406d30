package io.sealbook.archive.result;

import io.sealbook.vocabulary.result.ResultLeaf;

/**
 * Where a message is in the result tree of its block.
 *
 * @param kind of the messages of its leaf
 * @param messageIndex in its leaf, from 0
 * @param leafIndex in the tree, from 0
 * @param leafCount number of leaves of the tree
 */
public record ResultPlace(ResultLeaf.Kind kind, int messageIndex, int leafIndex, int leafCount) {}
