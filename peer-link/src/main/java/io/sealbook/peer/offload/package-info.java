/**
 * What a smart network card would take from the consensus thread (requirement D1): check the code, check the signatures, store the
 * message, and only then say so.
 *
 * <pre>
 *   EventLoopOffload   event loop: frame ─▶ VoteStage ─▶ MessageLog ─▶ HandleRing │ agent: handle ─▶ decode ─▶ count
 *   AgentOffload       event loop: frame ─▶ queue │ agent: VoteStage ─▶ MessageLog ─▶ decode ─▶ count
 *
 *   VoteStage          code, counter, digest ─▶ key = content? ─▶ all signatures of a burst in one batch ─▶ store
 * </pre>
 *
 * Both do the same work; which thread does it is the experiment.
 */
package io.sealbook.peer.offload;
