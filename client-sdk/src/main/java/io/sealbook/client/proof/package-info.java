/** Proofs from nodes, judged by the nodes' keys: no node is believed. */
package io.sealbook.client.proof;
