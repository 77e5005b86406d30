/**
 * Messages of agreement and records of the replica log as bytes.
 *
 * <pre>
 *   Message, ReplicaRecord ─▶ PeerMessageCodec ─▶ version ‖ kind ‖ body
 *                                                  payload of a frame, content of a log record
 * </pre>
 */
package io.sealbook.peer.message;
