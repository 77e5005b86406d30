/**
 * Encryption between nodes: what a connection carries after its handshake, as records of AES-256-GCM. Frames travel
 * inside; they keep their own codes, of which one frame has one for each receiver.
 */
package io.sealbook.peer.record;
