package io.sealbook.client.submission;

import io.sealbook.protocol.v1.LogonReply;
import java.util.Optional;

/** Finds out where a client goes on, from what nodes say about its broker's sessions. Loop thread only. */
interface Logon {
    /** That of a client that takes no session: it has nothing to find out. */
    Logon NONE = new Logon() {
        @Override
        public void onReply(int nodeId, LogonReply reply) {
            // No node is asked.
        }

        @Override
        public void forget(int nodeId) {
            // No node has said anything.
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }
    };

    /**
     * Takes the answer of a node; a later one replaces an earlier one.
     *
     * @param nodeId that answered
     * @param reply its sessions of this broker
     */
    void onReply(int nodeId, LogonReply reply);

    /** Forgets the answer of a node that is none any more. */
    void forget(int nodeId);

    boolean isDone();

    /** Returns why the client cannot go on in its session; empty as long as it may. */
    Optional<String> failure();

    /** Returns why the answers so far do not let the client begin; empty if they do, or there is none. */
    Optional<String> obstacle();
}
