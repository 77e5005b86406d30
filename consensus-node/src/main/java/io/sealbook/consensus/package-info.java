/**
 * A consensus node, wired: {@link io.sealbook.consensus.ConsensusNode} and its two sides are the diagram of the
 * process. The operator's entry is {@code tool.NodeTool}.
 */
package io.sealbook.consensus;
