package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionLinesTest {
    private static final int ROOM = 64;
    private static final int NODES = 4;
    /** Of each sender: an even part of one half. */
    private static final int SHARE = ROOM / 2 / NODES;

    private static final int PEER = 2;
    private static final int OTHER_PEER = 3;

    private final AdmissionLines<String> lines = new AdmissionLines<>(ROOM, NODES);

    @Test
    void shouldServeSendersInTurnAndEachInItsOrder() {
        add(BatchSource.BROKER, "a1", "a2", "a3", "a4");
        add(PEER, "b1", "b2");
        add(OTHER_PEER, "c1");

        assertThat(drain()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    /** Who comes back does not overtake those who wait for their turn. */
    @Test
    void shouldServeWhoComesLaterAfterThoseWhoWait() {
        add(BatchSource.BROKER, "a1", "a2", "a3");
        add(PEER, "b1");
        assertThat(lines.next()).isEqualTo("a1");
        assertThat(lines.next()).isEqualTo("b1");

        add(PEER, "b2");

        assertThat(drain()).containsExactly("a2", "b2", "a3");
        assertThat(lines.next()).isNull();
    }

    @Test
    void shouldServeBrokersInTurnWithinTheirLine() {
        addOf("greedy", "a1", "a2", "a3");
        add(PEER, "p1", "p2", "p3");
        addOf("modest", "b1");
        assertThat(lines.next()).isEqualTo("a1");
        addOf("third", "c1", "c2");

        assertThat(drain()).containsExactly("p1", "b1", "p2", "a2", "p3", "c1", "a3", "c2");
    }

    /** Alone a broker fills half of the room, two fill a third each; what is left is for those who come. */
    @Test
    void shouldLeaveABrokerRoomBesideGreedyOnes() {
        int room = ROOM - (NODES - 1) * SHARE;
        assertThat(fillOf("greedy")).isEqualTo(room / 2);
        assertThat(fillOf("second")).isEqualTo(room / 4);
        assertThat(fillOf("third")).isEqualTo(room / 8);
        assertThat(fillOf("greedy")).isZero();

        Stream.generate(lines::next).limit(lines.size()).forEach(served -> {});
        int ofEach = 0;
        while (addsOf("greedy") && addsOf("second")) {
            ofEach++;
        }
        assertThat(ofEach).isEqualTo(room / 3);
        assertThat(addsOf("third")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {BatchSource.BROKER, PEER})
    void shouldKeepAShareOfEachSenderFree(int greedy) {
        int taken = fill(greedy);

        assertThat(taken).isEqualTo(ROOM - (NODES - 1) * SHARE);
        int modest = greedy == PEER ? OTHER_PEER : PEER;
        assertThat(fill(modest)).isEqualTo(SHARE);
        assertThat(fill(greedy)).isZero();
        assertThat(lines.size()).isEqualTo(taken + SHARE);
    }

    @Test
    void shouldGiveTheRestToWhoComesFirst() {
        assertThat(fill(PEER)).isEqualTo(ROOM - (NODES - 1) * SHARE);

        IntStream.range(0, ROOM - NODES * SHARE).forEach(i -> lines.next());

        assertThat(lines.size()).isEqualTo(SHARE);
        assertThat(fill(BatchSource.BROKER)).isEqualTo(ROOM - (NODES - 1) * SHARE);
        assertThat(fill(PEER)).isZero();
        assertThat(fill(OTHER_PEER)).isEqualTo(SHARE);
    }

    /** Against a plain model: nothing is lost or doubled, and room is refused only to whom the rules refuse it. */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 13})
    void shouldLoseNothing(int nodes) {
        SplittableRandom random = new SplittableRandom(nodes);
        AdmissionLines<Integer> tried = new AdmissionLines<>(ROOM, nodes);
        int share = ROOM / 2 / nodes;
        Map<Integer, List<Integer>> model = new HashMap<>();
        // The brokers and the peers of node 0.
        int[] senders = IntStream.range(0, nodes)
                .map(i -> i == 0 ? BatchSource.BROKER : i)
                .toArray();
        int size = 0;
        for (int number = 0; number < 20_000; number++) {
            if (random.nextInt(100) < 55) {
                int sender = senders[Math.min(random.nextInt(nodes), random.nextInt(nodes))];
                List<Integer> line = model.computeIfAbsent(sender, key -> new ArrayList<>());
                int left = IntStream.of(senders)
                        .filter(other -> other != sender)
                        .map(other -> Math.max(
                                0, share - model.getOrDefault(other, List.of()).size()))
                        .sum();
                int broker = number % 3;
                long ofBroker = line.stream().filter(each -> each % 3 == broker).count();
                boolean isRoom = size < ROOM - left && (sender != BatchSource.BROKER || ofBroker < ROOM - left - size);

                assertThat(tried.add(sender, sender == BatchSource.BROKER ? broker : sender, number))
                        .isEqualTo(isRoom);

                if (isRoom) {
                    line.add(number);
                    size++;
                }
            } else if (size > 0) {
                Integer served = tried.next();
                assertThat(model.values())
                        .filteredOn(line -> line.contains(served))
                        .hasSize(1);
                model.forEach((sender, line) -> assertThat(line)
                        .filteredOn(each -> line.contains(served) && each < served)
                        .filteredOn(each -> sender != BatchSource.BROKER || each % 3 == served % 3)
                        .isEmpty());
                model.values().forEach(line -> line.remove(served));
                size--;
            }
            assertThat(tried.size()).isEqualTo(size);
        }
    }

    private void add(int sender, String... waiting) {
        for (String each : waiting) {
            assertThat(lines.add(sender, sender, each)).isTrue();
        }
    }

    private void addOf(String broker, String... waiting) {
        for (String each : waiting) {
            assertThat(lines.add(BatchSource.BROKER, broker, each)).isTrue();
        }
    }

    /** Fills a line; each batch is of another broker if they are of brokers. */
    private int fill(int sender) {
        int taken = 0;
        while (lines.add(sender, taken, "of " + sender)) {
            taken++;
        }
        return taken;
    }

    private int fillOf(String broker) {
        int taken = 0;
        while (addsOf(broker)) {
            taken++;
        }
        return taken;
    }

    private boolean addsOf(String broker) {
        return lines.add(BatchSource.BROKER, broker, "of " + broker);
    }

    private List<String> drain() {
        return Stream.generate(lines::next).limit(lines.size()).toList();
    }
}
