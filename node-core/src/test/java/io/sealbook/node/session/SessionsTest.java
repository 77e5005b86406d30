package io.sealbook.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sessions of one broker among those of all. */
class SessionsTest {
    private static final int BROKERS = 1_000;
    private static final int SESSIONS = 16;

    private final Sessions sessions = new Sessions();

    @Test
    void shouldReturnTheHeadsOfABrokerInTheOrderOfSessions() {
        Digest id = Digest.sha256(new byte[1]);
        sessions.delivered(SessionKey.of(7, 9), 1, id);
        sessions.restore(SessionKey.of(7, 2), 5, id);
        sessions.restore(SessionKey.of(6, 3), 5, id);
        sessions.restore(SessionKey.of(8, 0), 5, id);
        sessions.restore(SessionKey.of(SessionKey.ADMINISTRATION, 4), 5, id);
        sessions.suspend(SessionKey.of(7, 9));
        sessions.suspend(SessionKey.of(7, 10));

        List<SessionHead> heads = sessions.headsOf(7);

        assertThat(heads)
                .extracting(SessionHead::sessionKey)
                .containsExactly(SessionKey.of(7, 2), SessionKey.of(7, 9), SessionKey.of(7, 10));
        assertThat(heads).extracting(SessionHead::delivered).containsExactly(5L, 1L, 0L);
        assertThat(heads).extracting(SessionHead::isSuspended).containsExactly(false, true, true);
        assertThat(sessions.headsOf(SessionKey.ADMINISTRATION))
                .extracting(SessionHead::sessionKey)
                .containsExactly(SessionKey.of(SessionKey.ADMINISTRATION, 4));
        assertThat(sessions.headsOf(5)).isEmpty();
    }

    /** A logon must not hold up admission for the sessions of all others: what it allocates shows what it looks at. */
    @Test
    void shouldLookAtTheSessionsOfThatBrokerOnly() {
        long alone = allocatedBytes();
        for (int broker = 1; broker < BROKERS; broker++) {
            open(broker);
        }

        long amongAll = allocatedBytes();

        assertThat(sessions.heads()).hasSize(BROKERS * SESSIONS);
        assertThat(amongAll).isLessThan(2 * alone + 4_096);
    }

    /** Returns what the second request for the sessions of broker 0 allocates; the first one loads classes. */
    private long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        open(0);
        assertThat(sessions.headsOf(0)).hasSize(SESSIONS);
        long before = threads.getCurrentThreadAllocatedBytes();
        sessions.headsOf(0);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void open(int broker) {
        for (int session = 0; session < SESSIONS; session++) {
            sessions.restore(SessionKey.of(broker, session), 1, Digest.ZERO);
        }
    }
}
