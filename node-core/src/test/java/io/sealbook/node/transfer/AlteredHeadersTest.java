package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of three peers alters the view in headers, and sends a forged certificate with each answer; or does the latter
 * alone. No check of an answer alone finds that, and a checkpoint interval takes several answers.
 */
class AlteredHeadersTest {
    private static final int INTERVAL = 16;
    private static final int LENGTH = 320;
    private static final int BLOCKS_PER_ANSWER = 5;
    /** A transfer that never comes further asks for ever. */
    private static final int ANSWERS_MAX = 400;

    private static final int VIEW_OFFSET = 16;
    private static final int PREVIOUS_HASH_OFFSET = 104;
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");

    private record Request(int to, long from, int count) {}

    private final TestMembers members = new TestMembers();
    private final Membership membership = Membership.of(members.genesis());
    private final List<Block> chain = new ArrayList<>();
    /** Hashes of what the liar made of blocks. */
    private final Map<Long, Digest> altered = new HashMap<>();

    private final ArrayDeque<Request> requests = new ArrayDeque<>();
    private final ArrayDeque<ReceivedBlocks> received = new ArrayDeque<>();
    private final List<Integer> refused = new ArrayList<>();
    private final HeaderDecoding decoding = new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> {});
    private StateTransfer transfer = transfer(StateTransfer.Limits.of(INTERVAL, 8 * INTERVAL));

    private StateTransfer transfer(StateTransfer.Limits limits) {
        return new StateTransfer(
                new BlockRequests() {
                    @Override
                    public void requestBlocks(int to, long from, int count) {
                        requests.add(new Request(to, from, count));
                    }

                    @Override
                    public Set<Integer> connected() {
                        return Set.of(1, 2, 3);
                    }
                },
                new CertificateChecker(members.genesis(), VERIFIER),
                (answer, inEffect) -> received.add(answer),
                limits,
                new NoEvents() {
                    @Override
                    public void transferRefused(int source, long from, String fault) {
                        refused.add(source);
                    }
                });
    }

    AlteredHeadersTest() {
        Digest previous = Digest.ZERO;
        for (int sequence = 1; sequence <= LENGTH; sequence++) {
            Block block = TestMembers.block(sequence, previous, 0, members.orderBatch(1, members.node(0), sequence));
            chain.add(block);
            previous = block.hash();
        }
    }

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    private enum Lie {
        /** The last block of each answer is altered; all other blocks are the true ones. */
        LAST_BLOCK,
        /** All blocks are altered, and link to those that the liar sent before. */
        WHOLE_CHAIN
    }

    @ParameterizedTest
    @CsvSource({
        "LAST_BLOCK,1",
        "LAST_BLOCK,2",
        "LAST_BLOCK,3",
        "WHOLE_CHAIN,1",
        "WHOLE_CHAIN,2",
        "WHOLE_CHAIN,3",
    })
    void shouldReachTheTargetAndFindTheLiar(Lie lie, int liar) {
        int answers = answersUntilTheTarget(lie, liar, true);

        assertThat(answers).as("answers").isLessThan(2 * LENGTH / BLOCKS_PER_ANSWER);
    }

    /** The honest peers have lost the certificates: that of the last block alone proves something. */
    @ParameterizedTest
    @CsvSource({
        "LAST_BLOCK,1",
        "LAST_BLOCK,2",
        "LAST_BLOCK,3",
        "WHOLE_CHAIN,1",
        "WHOLE_CHAIN,2",
        "WHOLE_CHAIN,3",
    })
    void shouldFindTheLiarWithoutCertificatesOnTheWay(Lie lie, int liar) {
        answersUntilTheTarget(lie, liar, false);
    }

    /** Few blocks are held until a certificate proves them; those after them come again. */
    @ParameterizedTest
    @CsvSource({
        "LAST_BLOCK,1,1",
        "LAST_BLOCK,2,3",
        "WHOLE_CHAIN,1,3",
        "WHOLE_CHAIN,3,1",
    })
    void shouldReachTheTargetWithRoomForFewBlocks(Lie lie, int liar, int intervalsBetweenCertificates) {
        long heldMax = 3 * LinkedBlocks.heldBytes(decoding.fromArchive(chain.getFirst()));
        transfer = transfer(new StateTransfer.Limits(INTERVAL, LENGTH, heldMax));
        transfer.start(target(), LastBlock.none(Digest.ZERO), membership, 0);
        List<Digest> polled = new ArrayList<>();
        List<Long> certified = new ArrayList<>();
        for (int turn = 0; transfer.isRunning() && turn < 3 * ANSWERS_MAX; turn++) {
            for (DecodedBlock next = transfer.pollVerified(); next != null; next = transfer.pollVerified()) {
                polled.add(next.hash());
            }
            for (CheckpointCertificate used : transfer.takeCertificates()) {
                certified.add(used.sequence());
                assertThat(used.sequence()).isLessThanOrEqualTo(polled.size());
            }
            transfer.onTick(0);
            Request request = requests.remove();
            long checkpoint = (lastOf(request) + INTERVAL - 1) / INTERVAL * INTERVAL;
            boolean isCertified = checkpoint / INTERVAL % intervalsBetweenCertificates == 0;
            if (request.to() == liar) {
                answer(request, lies(request, lie), certificate(lastOf(request), 1));
            } else {
                answer(request, blocks(request), isCertified ? certificate(lastOf(request), 3) : null);
            }
        }

        for (DecodedBlock next = transfer.pollVerified(); next != null; next = transfer.pollVerified()) {
            polled.add(next.hash());
        }
        assertThat(polled).isEqualTo(chain.stream().map(Block::hash).toList());
        assertThat(certified).isNotEmpty().isSorted().doesNotHaveDuplicates();
        assertThat(refused).containsOnly(liar);
    }

    /** The blocks are right, and each answer has a certificate of its last block, which costs a verification. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldAskAPeerNoMoreThatForgesCertificates(int liar) {
        int lies = 0;
        transfer.start(target(), LastBlock.none(Digest.ZERO), membership, 0);
        for (int answers = 0; transfer.isRunning() && answers < ANSWERS_MAX; answers++) {
            Request request = requests.remove();
            lies += request.to() == liar ? 1 : 0;
            answer(
                    request,
                    blocks(request),
                    request.to() == liar ? certificateOf(lastOf(request), 1) : certificate(lastOf(request), 3));
        }

        assertThat(transfer.distance()).isZero();
        assertThat(refused).containsOnly(liar);
        assertThat(lies).as("answers of the liar").isLessThan(LENGTH / BLOCKS_PER_ANSWER / 5);
    }

    private int answersUntilTheTarget(Lie lie, int liar, boolean hasCertificates) {
        int answers = 0;
        transfer.start(target(), LastBlock.none(Digest.ZERO), membership, 0);
        for (; transfer.isRunning() && answers < ANSWERS_MAX; answers++) {
            Request request = requests.remove();
            if (request.to() == liar) {
                answer(request, lies(request, lie), certificate(lastOf(request), 1));
            } else {
                answer(request, blocks(request), hasCertificates ? certificate(lastOf(request), 3) : null);
            }
        }

        assertThat(transfer.distance()).isZero();
        assertThat(refused).containsOnly(liar);
        for (Block expected : chain) {
            assertThat(transfer.pollVerified().hash()).isEqualTo(expected.hash());
        }
        return answers;
    }

    private void answer(Request request, List<byte[]> blocks, CheckpointCertificate certificate) {
        transfer.onBlocks(request.to(), request.from(), blocks, certificate == null ? null : certificate.encode(), 0);
        while (!received.isEmpty()) {
            ReceivedBlocks answer = received.remove();
            assertThat(answer.blocks()).allMatch(BlockSignatures::hasItsBatches);
            transfer.onChecked(
                    new CheckedBlocks(
                            answer,
                            "",
                            answer.blocks().stream().map(decoding::fromArchive).toList()),
                    0);
        }
    }

    private static long lastOf(Request request) {
        return request.from() + Math.min(request.count(), BLOCKS_PER_ANSWER) - 1;
    }

    private List<byte[]> blocks(Request request) {
        List<byte[]> blocks = new ArrayList<>();
        for (long sequence = request.from(); sequence <= lastOf(request); sequence++) {
            blocks.add(chain.get((int) sequence - 1).bytes().clone());
        }
        return blocks;
    }

    private List<byte[]> lies(Request request, Lie lie) {
        List<byte[]> blocks = blocks(request);
        for (int i = 0; i < blocks.size(); i++) {
            if (lie == Lie.WHOLE_CHAIN || i == blocks.size() - 1) {
                alter(blocks.get(i), request.from() + i, lie);
            }
        }
        return blocks;
    }

    private void alter(byte[] block, long sequence, Lie lie) {
        ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).putLong(VIEW_OFFSET, 7);
        Digest before = altered.get(sequence - 1);
        if (lie == Lie.WHOLE_CHAIN && before != null) {
            before.write(block, PREVIOUS_HASH_OFFSET);
        }
        altered.put(sequence, Block.wrap(block).hash());
    }

    /** Returns the certificate at or after a block; one signature proves nothing. */
    private CheckpointCertificate certificate(long sequence, int signatureCount) {
        return certificateOf((sequence + INTERVAL - 1) / INTERVAL * INTERVAL, signatureCount);
    }

    private CheckpointCertificate certificateOf(long checkpoint, int signatureCount) {
        Digest hash = chain.get((int) checkpoint - 1).hash();
        byte[] signed = CheckpointCertificate.signedBytes(
                members.genesis().getChainId(), checkpoint, hash, Digest.ZERO, Digest.ZERO);
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < signatureCount; node++) {
            signatures.add(new CertificateSignature(node, members.node(node).sign(signed)));
        }
        return new CheckpointCertificate(checkpoint, hash, Digest.ZERO, Digest.ZERO, signatures);
    }

    private StableCertificate target() {
        return new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
    }
}
