/** A consensus node: NodeTool is the operator's entry, ConsensusNode the wiring diagram. */
package io.sealbook.consensus;
