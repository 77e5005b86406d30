/**
 * The work that a smart network card could take from the consensus thread: check the code, verify the signatures, store
 * the message, and only then notify the agent.
 *
 * <pre>
 *   EventLoopOffload   event loop: frame ─▶ VoteStage ─▶ MessageLog ─▶ HandleRing │ agent: handle ─▶ decode ─▶ count
 *   AgentOffload       event loop: frame ─▶ queue │ agent: VoteStage ─▶ MessageLog ─▶ decode ─▶ count
 *
 *   VoteStage          code, counter, digest ─▶ key = content? ─▶ form ─▶ signatures of a burst, in rounds ─▶ store
 * </pre>
 *
 * Both do the same work on different threads.
 */
package io.sealbook.peer.offload;
