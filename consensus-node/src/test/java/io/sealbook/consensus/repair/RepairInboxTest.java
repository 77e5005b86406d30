package io.sealbook.consensus.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RepairInboxTest {
    private final RepairInbox inbox = new RepairInbox();
    private final List<String> done = new ArrayList<>();

    /** Each request costs a read of the disk: behind 256 of them no answer came in time, nor found it room. */
    @Test
    void shouldTakeAnAnswerBeforeTheRequestsOfAMemberThatFloods() throws Exception {
        inbox.expect(2, 7);
        for (int i = 0; i < 1_000; i++) {
            inbox.request(1, () -> done.add("request of 1"));
        }

        assertThat(inbox.answer(2, 7, () -> done.add("answer of 2"))).isTrue();
        doAll();

        assertThat(done).containsExactly("answer of 2", "request of 1");
    }

    @Test
    void shouldServeMembersInTurn() throws Exception {
        assertThat(inbox.request(1, () -> done.add("1"))).isTrue();
        assertThat(inbox.request(1, () -> done.add("1 again"))).isFalse();
        assertThat(inbox.request(3, () -> done.add("3"))).isTrue();
        inbox.take(0).ifPresent(Runnable::run);
        assertThat(inbox.request(1, () -> done.add("1 once more"))).isTrue();
        doAll();

        assertThat(done).containsExactly("1", "3", "1 once more");
    }

    /** A genesis file may name more nodes than transactions can add. */
    @Test
    void shouldServeMembersOfALargeCluster() throws Exception {
        for (int member = 0; member < 20; member++) {
            String name = "" + member;
            assertThat(inbox.request(member, () -> done.add(name))).isTrue();
        }
        doAll();

        assertThat(done).hasSize(20).startsWith("0", "1").endsWith("19");
    }

    @Test
    void shouldRefuseBlocksThatItDidNotAskFor() throws Exception {
        inbox.expect(2, 7);

        assertThat(inbox.answer(1, 7, () -> done.add("another member"))).isFalse();
        assertThat(inbox.answer(2, 8, () -> done.add("other blocks"))).isFalse();
        assertThat(inbox.answer(2, 7, () -> done.add("asked for"))).isTrue();
        assertThat(inbox.answer(2, 7, () -> done.add("again"))).isFalse();
        doAll();

        assertThat(done).containsExactly("asked for");
    }

    @Test
    void shouldWaitForWhatComes() throws Exception {
        Thread peer = new Thread(() -> inbox.request(3, () -> done.add("came")));
        peer.start();

        inbox.take(Long.MAX_VALUE).orElseThrow().run();

        assertThat(done).containsExactly("came");
    }

    private void doAll() throws InterruptedException {
        Optional<Runnable> next = inbox.take(0);
        while (next.isPresent()) {
            next.get().run();
            next = inbox.take(0);
        }
    }
}
