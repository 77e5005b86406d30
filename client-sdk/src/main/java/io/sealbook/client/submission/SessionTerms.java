package io.sealbook.client.submission;

import io.sealbook.client.OutboxException;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.protocol.KeySessions;
import io.sealbook.protocol.v1.Genesis;
import java.nio.file.Path;
import java.util.Optional;

/**
 * In which session a client works, and with what memory.
 *
 * @param range sessions that it may take; empty if it takes none and submits nothing
 * @param outbox batches of earlier runs in one of them; owned by the pipeline. Empty if batches are in memory only
 * @param validityBlocksMax how many blocks a batch may stay valid, by the genesis file
 */
public record SessionTerms(Optional<SessionRange> range, Optional<BrokerOutbox> outbox, long validityBlocksMax) {
    /** Returns the terms of a client that takes no session. */
    public static SessionTerms readOnly() {
        return new SessionTerms(Optional.empty(), Optional.empty(), 0);
    }

    /**
     * Opens the outbox, which the terms own.
     *
     * @param ofKey sessions of the program alone, counted from 0 among those of its key
     * @param outbox its directory; empty if there is none
     * @param genesis says in which sessions a key signs
     * @param brokerId whose sessions they are
     * @param keyId signs the batches
     * @throws IllegalArgumentException if the key has no such sessions
     * @throws OutboxException if the outbox cannot be opened, or is that of another session
     */
    public static SessionTerms open(
            SessionRange ofKey, Optional<Path> outbox, Genesis genesis, int brokerId, int keyId) {
        KeySessions sessions = KeySessions.of(genesis.getParameters(), keyId);
        if (ofKey.last() >= sessions.count()) {
            throw new IllegalArgumentException(ofKey + ", a key has sessions 0.." + (sessions.count() - 1));
        }
        SessionRange range = new SessionRange(sessions.first() + ofKey.first(), sessions.first() + ofKey.last());
        return new SessionTerms(
                Optional.of(range),
                outbox.map(directory -> {
                    BrokerOutbox opened = BrokerOutbox.open(directory, genesis.getChainId(), brokerId);
                    opened.next().filter(next -> !range.has(next.session())).ifPresent(next -> {
                        opened.close();
                        throw new OutboxException(
                                "outbox " + directory + refusal(next.session(), ofKey, sessions, keyId), null);
                    });
                    return opened;
                }),
                genesis.getParameters().getValidityBlocksMax());
    }

    /** A program names its sessions as those of its key. */
    private static String refusal(int session, SessionRange ofKey, KeySessions sessions, int keyId) {
        if (sessions.has(session)) {
            int configured = session - sessions.first();
            return " is in session " + configured + " of its key, and the client may take " + ofKey
                    + " alone; configure session " + configured + ", or another outbox";
        }
        return " is in session " + session + " of another key, key " + keyId + " signs in " + sessions
                + "; have a run with that key finish its batches, then configure another outbox";
    }
}
