/**
 * How batches come to all members: which way a batch takes, whom a missing one is asked of, and which arriving one is
 * news.
 */
package io.sealbook.node.spread;
