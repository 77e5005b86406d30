/**
 * What the other members send and receive: the shell between {@code peer-link} and the decisions of {@code node-core}.
 */
package io.sealbook.consensus.peers;
