package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.message.BatchRange;
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

    private final Replica replica = new Replica(ReplicaConfig.builder(1, 4, 9).build(), signedBytes -> new byte[65]);
    private final List<Output> outputs = new ArrayList<>();
    private final List<Input> fed = new ArrayList<>();
    private final SessionOrder order = new SessionOrder(replica, this::feed);

    private void feed(Input input) {
        fed.add(input);
        replica.step(input, outputs);
    }

    private static SessionEnd end(long session, long number, String version) {
        return new SessionEnd(session, number, id(session, number, version));
    }

    private static SessionEnd end(long session, long number) {
        return end(session, number, "");
    }

    private static Digest id(long session, long number, String version) {
        return number == 0
                ? Digest.ZERO
                : Digest.sha256((session + " " + number + version).getBytes(StandardCharsets.UTF_8));
    }

    private void available(long session, long... numbers) {
        for (long number : numbers) {
            available(end(session, number), id(session, number - 1, ""));
        }
    }

    private void available(SessionEnd end, Digest previous) {
        order.onAvailable(new Input.BatchAvailable(end, previous));
    }

    private List<Long> fedNumbers() {
        return fed.stream()
                .map(input -> ((Input.BatchAvailable) input).end().number())
                .toList();
    }

    @Test
    void shouldKeepWhatIsAheadOfItsSession() {
        available(SESSION, 2, 4, 3);
        assertThat(fed).isEmpty();
        assertThat(order.asideCount()).isEqualTo(3);

        available(SESSION, 1);

        assertThat(fedNumbers()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(order.asideCount()).isZero();
        assertThat(replica.held(SESSION)).isEqualTo(4);
    }

    @Test
    void shouldHoldBackNoOtherSession() {
        available(SESSION, 2);
        available(OTHER, 1, 2);

        assertThat(replica.held(SESSION)).isZero();
        assertThat(replica.held(OTHER)).isEqualTo(2);
    }

    @Test
    void shouldGoOnAfterTheBlocksOfAPeer() {
        available(SESSION, 5, 6);

        feed(new Input.BlockTransferred(1, Digest.ZERO, List.of(end(SESSION, 4))));
        order.onDelivered(end(SESSION, 4));

        assertThat(replica.held(SESSION)).isEqualTo(6);
    }

    /** The session's next batch may be any of two that came before their predecessor. */
    @Test
    void shouldTakeTheVersionThatFollowsWhatAgreementHolds() {
        available(end(SESSION, 2, "B"), id(SESSION, 1, "B"));
        available(SESSION, 2);

        available(SESSION, 1);

        assertThat(replica.holds(end(SESSION, 2))).isTrue();
        assertThat(order.asideCount()).isEqualTo(1);
    }

    @Test
    void shouldHandOverARangeOfAnotherVersionWhenItIsComplete() {
        available(SESSION, 1, 2, 3);
        BatchRange named = new BatchRange(end(SESSION, 3, "B"), 0, Digest.ZERO);
        assertThat(order.onNamed(named)).contains(named);

        available(end(SESSION, 3, "B"), id(SESSION, 2, "B"));
        assertThat(order.missing(named)).contains(new BatchRange(end(SESSION, 2, "B"), 0, Digest.ZERO));
        fed.clear();

        // The versions part at number 2.
        available(end(SESSION, 2, "B"), id(SESSION, 1, ""));

        assertThat(fed).containsExactly(new Input.RangeAvailable(named));
        assertThat(order.missing(named)).isEmpty();
    }

    /** A faulty primary names batches of one version after those of another one. */
    @Test
    void shouldNotHandOverARangeThatDoesNotContinueTheOneBefore() {
        available(SESSION, 1, 2, 3);
        BatchRange named = new BatchRange(end(SESSION, 3), 2, id(SESSION, 2, "B"));

        assertThat(order.onNamed(named)).as("nobody can help").isEmpty();
        available(SESSION, 4);

        assertThat(fed).noneMatch(Input.RangeAvailable.class::isInstance);
    }

    @Test
    void shouldForgetWhatABlockHasOvertaken() {
        available(SESSION, 1);
        available(end(SESSION, 1, "B"), Digest.ZERO);
        available(end(SESSION, 2, "B"), id(SESSION, 1, "B"));

        feed(new Input.BlockTransferred(1, Digest.ZERO, List.of(end(SESSION, 1))));

        assertThat(order.onDelivered(end(SESSION, 1))).containsExactly(end(SESSION, 1, "B"), end(SESSION, 2, "B"));
        assertThat(order.asideCount()).isZero();
    }

    /** A primary names a version first, and then a batch that follows the other one. */
    @Test
    void shouldNotHandOverAFirstBatchThatFollowsAnother() {
        available(end(SESSION, 3, "B"), id(SESSION, 2, "B"));

        order.onNamed(new BatchRange(end(SESSION, 3, "B"), 2, id(SESSION, 2, "A")));

        assertThat(fed).isEmpty();
    }

    /** A proposal may name them, and agreement counts on them: the batches between are on their way. */
    @Test
    void shouldKeepWhatFollowsABatchThatIsNotHereThoughAnotherVersionIs() {
        available(end(SESSION, 2, "B"), id(SESSION, 1, "B"));
        available(end(SESSION, 3, "B"), id(SESSION, 2, "B"));
        available(SESSION, 4, 5);
        available(end(SESSION, 4, "B"), id(SESSION, 3, "B"));
        feed(new Input.BlockTransferred(1, Digest.ZERO, List.of(end(SESSION, 1))));

        assertThat(order.onDelivered(end(SESSION, 1)))
                .containsExactly(end(SESSION, 2, "B"), end(SESSION, 3, "B"), end(SESSION, 4, "B"));

        available(SESSION, 2, 3);
        assertThat(replica.held(SESSION)).isEqualTo(5);
    }

    @Test
    void shouldForgetANamedRangeThatIsDelivered() {
        order.onNamed(new BatchRange(end(SESSION, 3, "B"), 0, Digest.ZERO));
        feed(new Input.BlockTransferred(1, Digest.ZERO, List.of(end(SESSION, 3, "B"))));
        order.onDelivered(end(SESSION, 3, "B"));
        fed.clear();

        available(end(SESSION, 3, "B"), id(SESSION, 2, "B"));

        assertThat(fed).isEmpty();
    }

    /** Agreement would keep it apart for a proposal that is gone. */
    @Test
    void shouldForgetANamedRangeWhenAViewBegins() {
        BatchRange named = new BatchRange(end(SESSION, 3, "B"), 0, Digest.ZERO);
        order.onNamed(named);

        order.onViewEntered();
        for (long number = 1; number <= 3; number++) {
            available(end(SESSION, number, "B"), id(SESSION, number - 1, "B"));
        }

        assertThat(fed).noneMatch(Input.RangeAvailable.class::isInstance);
    }

    /** It follows what agreement holds, beside another version of that. */
    @Test
    void shouldKeepWhatFollowsAHeldBatchThatHasAnotherVersion() {
        available(SESSION, 1, 2, 3);
        available(end(SESSION, 2, "C"), id(SESSION, 1, ""));
        available(end(SESSION, 3, "B"), id(SESSION, 2, ""));
        feed(new Input.BlockTransferred(1, Digest.ZERO, List.of(end(SESSION, 1))));

        assertThat(order.onDelivered(end(SESSION, 1))).isEmpty();

        assertThat(order.asideCount()).isEqualTo(2);
    }
}
