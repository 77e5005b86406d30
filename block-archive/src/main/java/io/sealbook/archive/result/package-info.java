/**
 * Proofs of results: that an engine made an execution report or a trade, under a result digest that a quorum of nodes
 * signed. Judged with the genesis file alone.
 */
package io.sealbook.archive.result;
