package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that answer wrongly, late or not at all; the last certificate alone proves the chain here. */
class StateTransferTest {
    private static final int INTERVAL = 16;
    private static final int LENGTH = 160;
    private static final Membership MEMBERSHIP = Membership.of(Genesis.getDefaultInstance());

    private record Request(int to, long from, int count) {}

    private final List<Block> chain = chain();
    private final List<Request> requests = new ArrayList<>();
    /** The same, and nobody takes them out. */
    private final List<Request> asked = new ArrayList<>();

    private Set<Integer> connected = Set.of(1, 2, 3);
    private final List<ReceivedBlocks> received = new ArrayList<>();
    private StateTransfer transfer = transfer(StateTransfer.Limits.of(INTERVAL, 8 * INTERVAL));

    private final HeaderDecoding decoding = new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> {});

    private StateTransfer transfer(StateTransfer.Limits limits) {
        return new StateTransfer(
                new BlockRequests() {
                    @Override
                    public void requestBlocks(int to, long from, int count) {
                        requests.add(new Request(to, from, count));
                        asked.add(new Request(to, from, count));
                    }

                    @Override
                    public Set<Integer> connected() {
                        return connected;
                    }
                },
                null,
                (answer, membership) -> received.add(answer),
                limits,
                new NoEvents());
    }

    /** Sixteen of the largest blocks are 400 MB, and no block is proven before a certificate covers it. */
    @Test
    void shouldReachACertificateThatLiesFurtherAheadThanMayBeHeld() {
        long heldMax = bytes(INTERVAL + 1);
        transfer = transfer(new StateTransfer.Limits(INTERVAL, LENGTH, heldMax));
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        List<Digest> polled = new ArrayList<>();
        for (int round = 1; transfer.isRunning() && round < LENGTH; round++) {
            while (!requests.isEmpty()) {
                answer(requests.remove(0));
                assertThat(transfer.unverifiedBytes()).isLessThanOrEqualTo(heldMax);
            }
            for (DecodedBlock next = transfer.pollVerified(); next != null; next = transfer.pollVerified()) {
                polled.add(next.hash());
            }
            transfer.onTick(round);
        }

        assertThat(transfer.pollReached()).isEqualTo(target());
        assertThat(polled).isEqualTo(chain.stream().map(Block::hash).toList());
        Map<Long, Long> times = asked.stream()
                .filter(request -> request.from() > 6 * INTERVAL)
                .collect(Collectors.groupingBy(Request::from, Collectors.counting()));
        assertThat(times.values())
                .as("each range for its hashes, and for its blocks")
                .containsOnly(2L);
    }

    @Test
    void shouldGiveUpALongChainThatNothingProves() {
        int logWindow = 2 * INTERVAL;
        transfer = transfer(new StateTransfer.Limits(INTERVAL, logWindow, bytes(INTERVAL + 1)));
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        while (asked.stream().filter(request -> request.from() == 1).count() == 1) {
            answer(requests.remove(0));
        }

        assertThat(asked).extracting(Request::from).allMatch(from -> from <= logWindow + 5 * INTERVAL);
        assertThat(transfer.distance()).isEqualTo(LENGTH);
    }

    /** The one that answers has no certificates, and those that have were late once. */
    @Test
    void shouldAskPeersThatWereLateWhenNothingProvesTheChainOfOthers() {
        transfer = transfer(new StateTransfer.Limits(INTERVAL, 2 * INTERVAL, bytes(INTERVAL + 1)));
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        answerAll(request -> request.to() == 1);
        asked.clear();
        transfer.onTick(4_000_000_000L);
        assertThat(asked).isNotEmpty().allMatch(request -> request.to() == 1);
        while (asked.stream().noneMatch(request -> request.from() == 1)) {
            answer(requests.remove(0));
        }

        assertThat(asked).filteredOn(request -> request.from() == 1).noneMatch(request -> request.to() == 1);
    }

    /** The bytes of the chain alone are not too many; the objects that hold them are. */
    @Test
    void shouldCountWhatASmallBlockHoldsBesideItsBytes() {
        long bytes = chain.stream().mapToLong(Block::length).sum();
        transfer = transfer(new StateTransfer.Limits(INTERVAL, INTERVAL, bytes + 1));
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        while (transfer.isRunning()
                && asked.stream().filter(request -> request.from() == 1).count() == 1) {
            answer(requests.remove(0));
        }

        assertThat(transfer.isRunning()).isTrue();
        assertThat(asked).extracting(Request::from).allMatch(from -> from < LENGTH - INTERVAL);
    }

    private long bytes(int blocks) {
        return chain.stream()
                .limit(blocks)
                .mapToLong(block -> LinkedBlocks.heldBytes(decoding.fromArchive(block)))
                .sum();
    }

    @Test
    void shouldFetchInRangesFromSeveralPeersAndReachTheTarget() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        assertThat(requests.stream().map(Request::to).distinct().count()).isGreaterThan(1);
        assertThat(transfer.distance()).isEqualTo(LENGTH);

        answerAll();

        assertThat(transfer.distance()).isZero();
        assertThat(polled()).isEqualTo(LENGTH);
        assertThat(transfer.pollReached()).isEqualTo(target());
        assertThat(transfer.isRunning()).isFalse();
    }

    @Test
    void shouldAskAnotherPeerWhenOneDoesNotAnswer() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request lost = requests.get(0);
        requests.clear();

        transfer.onTick(4_000_000_000L);

        assertThat(requests).anyMatch(request -> request.from() == lost.from() && request.to() != lost.to());
        answerAll();
        assertThat(polled()).isEqualTo(LENGTH);
    }

    @Test
    void shouldAskASilentPeerNoMoreWhileOthersAnswer() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        answerAll(request -> request.to() != 1);
        assertThat(asked).anyMatch(request -> request.to() == 1);
        asked.clear();

        transfer.onTick(4_000_000_000L);
        answerAll(request -> request.to() != 1);

        assertThat(asked).isNotEmpty().noneMatch(request -> request.to() == 1);
        assertThat(polled()).isEqualTo(LENGTH);
    }

    /** A short transfer has one request in flight, which must not go to the mute one of two peers for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReachTheTargetWithOneOfTwoPeersMute(int mute) {
        connected = Set.of(1, 2);
        StableCertificate near = target(INTERVAL);
        transfer.start(near, genesis(), MEMBERSHIP, 0);
        for (int round = 1; round < 10 && transfer.isRunning(); round++) {
            requests.removeIf(request -> request.to() == mute);
            answerAll();
            transfer.onTick(4_000_000_000L * round);
        }

        assertThat(transfer.pollReached()).isEqualTo(near);
    }

    @Test
    void shouldAdoptNothingOfAForgedChain() throws Exception {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request first = requests.remove(0);
        List<byte[]> forged = new ArrayList<>();
        Digest previous = Digest.ZERO;
        for (int i = 0; i < first.count(); i++) {
            Block block = block(i + 1, previous, 99);
            previous = block.hash();
            forged.add(block.bytes());
        }

        transfer.onBlocks(first.to(), first.from(), forged, null, 0);
        giveVerdicts();
        for (int round = 0; round < 10 && transfer.isRunning(); round++) {
            answerAll();
            transfer.onTick(4_000_000_000L * (round + 1));
        }

        assertThat(transfer.pollReached()).isEqualTo(target());
        for (Block expected : chain) {
            assertThat(transfer.pollVerified().hash()).isEqualTo(expected.hash());
        }
    }

    @Test
    void shouldRefuseBatchesThatAreNotThoseOfTheHeader() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request first = requests.remove(0);
        List<byte[]> tampered = new ArrayList<>();
        for (int i = 0; i < first.count(); i++) {
            tampered.add(chain.get(i).bytes().clone());
        }
        byte[] block = tampered.get(3);
        block[block.length - SignedBatch.SIGNATURE_LENGTH - 1] ^= 1;

        transfer.onBlocks(first.to(), first.from(), tampered, null, 0);
        giveVerdicts();

        assertThat(transfer.pollVerified()).isNull();
        assertThat(transfer.isRunning()).isTrue();
        transfer.onTick(4_000_000_000L);
        assertThat(requests).anyMatch(request -> request.from() == first.from() && request.to() != first.to());
    }

    @Test
    void shouldAskAgainForTheFirstRangeWhenMuchLiesAhead() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request lost = requests.remove(0);
        answerAll();

        transfer.onTick(4_000_000_000L);

        assertThat(requests).anyMatch(request -> request.from() == lost.from());
        answerAll();
        assertThat(polled()).isEqualTo(LENGTH);
    }

    @Test
    void shouldAskAPeerNoMoreThatHandedOverWhatIsNotRight() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        int liar = requests.get(0).to();
        int known = Integer.MAX_VALUE;

        for (int i = 0; i < asked.size(); i++) {
            Request request = asked.get(i);
            transfer.onBlocks(request.to(), request.from(), range(request), null, 0);
            while (!received.isEmpty()) {
                ReceivedBlocks answer = received.remove(0);
                boolean isLie = answer.source() == liar;
                transfer.onChecked(verdict(answer, isLie ? "a signature is wrong" : ""), 0);
                // What it was asked before it lied is still answered.
                known = isLie ? Math.min(known, asked.size()) : known;
            }
        }

        assertThat(asked.subList(known, asked.size())).isNotEmpty().noneMatch(request -> request.to() == liar);
        assertThat(polled()).isEqualTo(LENGTH);
        assertThat(transfer.isRunning()).isFalse();
    }

    @Test
    void shouldAskASuspectWhenNobodyElseIsThere() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        connected = Set.of(2);
        Request request = requests.remove(0);
        requests.clear();
        transfer.onBlocks(request.to(), request.from(), List.of(new byte[3]), null, 0);

        assertThat(requests).allMatch(again -> again.to() == 2).anyMatch(again -> again.from() == request.from());
    }

    /** Peer 1 sends one wrong answer, as after a bit that flipped; then the others fall silent. */
    @Test
    void shouldAskASuspectAgainWhenTheOthersFallSilent() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request wrong = requests.stream()
                .filter(request -> request.to() == 1)
                .findFirst()
                .orElseThrow();
        transfer.onBlocks(1, wrong.from(), List.of(new byte[3]), null, 0);

        for (int round = 1; round <= 20 && transfer.isRunning(); round++) {
            answerAll(request -> request.to() == 1 && request != wrong);
            requests.clear();
            transfer.onTick(4_000_000_000L * round);
        }

        assertThat(transfer.pollReached()).isEqualTo(target());
        assertThat(polled()).isEqualTo(LENGTH);
    }

    /** Peer 1 sends one wrong answer; the others answer in time, with blocks that nothing proves. */
    @Test
    void shouldAskASuspectAgainWhenTheOthersProveNothing() {
        transfer = transfer(new StateTransfer.Limits(INTERVAL, 2 * INTERVAL, bytes(INTERVAL + 1)));
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request wrong = requests.stream()
                .filter(request -> request.to() == 1)
                .findFirst()
                .orElseThrow();
        transfer.onBlocks(1, wrong.from(), List.of(new byte[3]), null, 0);
        requests.remove(wrong);
        asked.clear();

        for (int answers = 0; answers < 1_000 && asked.stream().noneMatch(request -> request.to() == 1); answers++) {
            answer(requests.remove(0));
        }

        assertThat(asked).last().extracting(Request::to).isEqualTo(1);
        assertThat(asked)
                .filteredOn(request -> request.from() == 1)
                .extracting(Request::to)
                .as("the others were asked for the beginning first")
                .contains(2, 3);
    }

    @Test
    void shouldNotAskForARangeThatIsBeingChecked() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        Request first = requests.remove(0);

        transfer.onBlocks(first.to(), first.from(), range(first), null, 0);
        transfer.onTick(4_000_000_000L);

        assertThat(requests).noneMatch(request -> request.from() == first.from());
        assertThat(transfer.pollVerified()).isNull();
    }

    /** Right blocks with certificates of blocks that no chain reaches: each would lie in memory till the end. */
    @Test
    void shouldKeepNoCertificateOfADistantBlock() {
        transfer.start(target(), genesis(), MEMBERSHIP, 0);
        int answers = 0;
        while (transfer.isRunning()) {
            Request request = requests.remove(0);
            answers++;
            long sequence = answers % 2 == 0 ? request.from() : Long.MAX_VALUE - answers;
            byte[] certificate =
                    new CheckpointCertificate(sequence, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of()).encode();
            transfer.onBlocks(request.to(), request.from(), range(request), certificate, 0);
            assertThat(transfer.certificatesHeld()).isZero();
            giveVerdicts();
        }
        assertThat(answers).isGreaterThanOrEqualTo(LENGTH / INTERVAL);
        assertThat(polled()).isEqualTo(LENGTH);
    }

    private List<byte[]> range(Request request) {
        return chain.subList((int) request.from() - 1, (int) request.from() - 1 + request.count()).stream()
                .map(Block::bytes)
                .toList();
    }

    /** The checks of this test: batches only, signatures are {@link BlockSignaturesTest}'s. */
    private void giveVerdicts() {
        while (!received.isEmpty()) {
            ReceivedBlocks answer = received.remove(0);
            boolean isRight = answer.blocks().stream().allMatch(BlockSignatures::hasItsBatches);
            transfer.onChecked(verdict(answer, isRight ? "" : "batches are not those of the header"), 0);
        }
    }

    private CheckedBlocks verdict(ReceivedBlocks answer, String fault) {
        return new CheckedBlocks(
                answer,
                fault,
                answer.blocks().stream().map(decoding::fromArchive).toList());
    }

    private void answerAll() {
        answerAll(request -> true);
    }

    /** The others stay unanswered. */
    private void answerAll(Predicate<Request> isAnswered) {
        while (requests.stream().anyMatch(isAnswered)) {
            Request request = requests.remove(0);
            if (!isAnswered.test(request)) {
                continue;
            }
            answer(request);
        }
    }

    private void answer(Request request) {
        transfer.onBlocks(request.to(), request.from(), range(request), null, 0);
        giveVerdicts();
    }

    private int polled() {
        int count = 0;
        while (transfer.pollVerified() != null) {
            count++;
        }
        return count;
    }

    private StableCertificate target() {
        return target(LENGTH);
    }

    private StableCertificate target(int sequence) {
        return new StableCertificate(sequence, chain.get(sequence - 1).hash(), Digest.ZERO, Digest.ZERO, List.of());
    }

    private static LastBlock genesis() {
        return LastBlock.none(Digest.ZERO);
    }

    private static List<Block> chain() {
        List<Block> chain = new ArrayList<>();
        Digest previous = Digest.ZERO;
        for (int i = 1; i <= LENGTH; i++) {
            Block block = block(i, previous, i);
            chain.add(block);
            previous = block.hash();
        }
        return chain;
    }

    private static Block block(long sequence, Digest previousHash, int content) {
        byte[] batch = new byte[SignedBatch.signedLength(1)];
        batch[20] = (byte) content;
        return Block.wrap(new BlockBuilder()
                .begin(sequence, 0, sequence, Digest.ZERO, previousHash)
                .add(BatchId.of(batch), sequence, batch, 0, batch.length)
                .build());
    }
}
