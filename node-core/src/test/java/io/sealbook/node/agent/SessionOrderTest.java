package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.session.Sessions;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionOrderTest {
    private static final long SESSION = SessionKey.of(7, 2);
    private static final long OTHER = SessionKey.of(7, 3);

    private final List<Long> passed = new ArrayList<>();
    private final Sessions sessions = new Sessions();
    private SessionOrder order = order();

    private SessionOrder order() {
        return new SessionOrder(
                sessions,
                input -> passed.add(((Input.BatchAvailable) input).end().number()));
    }

    private static SessionEnd end(long session, long number) {
        return new SessionEnd(session, number, id(session + " " + number));
    }

    private static Digest id(String name) {
        return Digest.sha256(name.getBytes(StandardCharsets.UTF_8));
    }

    private void available(long session, long... numbers) {
        for (long number : numbers) {
            order.onAvailable(new Input.BatchAvailable(end(session, number), Digest.ZERO, 0, Long.MAX_VALUE));
        }
    }

    @Test
    void shouldKeepWhatIsAheadOfItsSession() {
        available(SESSION, 2, 4, 3);
        assertThat(passed).isEmpty();
        assertThat(order.waitingCount()).isEqualTo(3);

        available(SESSION, 1);

        assertThat(passed).containsExactly(1L, 2L, 3L, 4L);
        assertThat(order.waitingCount()).isZero();
    }

    @Test
    void shouldHoldBackNoOtherSession() {
        available(SESSION, 2);
        available(OTHER, 1, 2);

        assertThat(passed).containsExactly(1L, 2L);
    }

    @Test
    void shouldGoOnWhereTheSessionHadComeAtTheStart() {
        sessions.restore(SESSION, 40, id("forty"));
        order = order();

        available(SESSION, 42, 41);

        assertThat(passed).containsExactly(41L, 42L);
    }

    @Test
    void shouldWaitForNothingWhileNumbersAreUnknown() {
        sessions.markIncomplete();
        order = order();

        available(SESSION, 9);

        assertThat(passed).containsExactly(9L);
    }

    @Test
    void shouldGoOnAfterTheBlocksOfAPeer() {
        available(SESSION, 5, 6);

        order.onTransferred(List.of(end(SESSION, 3), end(SESSION, 4)));

        assertThat(passed).containsExactly(5L, 6L);
    }

    @Test
    void shouldPassAtOnceWhatAProposalNames() {
        available(SESSION, 3, 4);

        order.release(List.of(end(SESSION, 3).id()));
        assertThat(passed).containsExactly(3L);

        available(SESSION, 1, 2);
        assertThat(passed)
                .as("each once, and nothing waits for what has passed")
                .containsExactly(3L, 1L, 2L, 4L);
    }

    @Test
    void shouldPassAtOnceWhatIsKeptOnlyIfNamed() {
        order.onAvailable(
                new Input.BatchAvailable(end(SESSION, 9), Digest.ZERO, 0, Input.BatchAvailable.ONLY_IF_NAMED));

        assertThat(passed).containsExactly(9L);
    }

    @Test
    void shouldPassASecondBatchOfANumber() {
        available(SESSION, 2);
        SessionEnd second = new SessionEnd(SESSION, 2, id("another"));

        order.onAvailable(new Input.BatchAvailable(second, Digest.ZERO, 0, Long.MAX_VALUE));

        assertThat(passed).containsExactly(2L);
        assertThat(order.waitingCount()).isEqualTo(1);
    }

    @Test
    void shouldCountNumbersWithoutASign() {
        sessions.restore(SESSION, -3, id("near the end"));
        order = order();

        available(SESSION, -1, -2);

        assertThat(passed).containsExactly(-2L, -1L);
    }
}
