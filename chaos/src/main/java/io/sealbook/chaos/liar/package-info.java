/**
 * A member that lies: a node whose decisions are those that ship, with other words between them and the transport.
 * Laboratory only; the jars of nodes contain none of it.
 *
 * <pre>
 *   NodeCore ──▶ LyingSpeech ──▶ TransportPeers        LieFile: which lie, written by the run, read by the process
 * </pre>
 */
package io.sealbook.chaos.liar;
