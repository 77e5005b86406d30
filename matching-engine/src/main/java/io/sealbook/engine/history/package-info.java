/**
 * The third path of queries: history, decoded from the blocks of the node's archive, with proofs. What an engine
 * forgets, and what its database lacks, is in the blocks for ever.
 */
package io.sealbook.engine.history;
