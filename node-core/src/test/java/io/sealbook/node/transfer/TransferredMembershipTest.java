package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.v1.Change;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that add keys and later blocks under these keys, fetched together, in any order. */
class TransferredMembershipTest {
    private static final int INTERVAL = 16;
    private static final int LENGTH = 96;
    /** A transfer that refuses honest answers asks for them for ever. */
    private static final int TURNS_MAX = 100;

    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");

    private final TestMembers members = new TestMembers();
    private final Membership start = Membership.of(members.genesis());
    private final Signer second = Signers.generate(SignatureScheme.SM2_SM3);
    private final Signer third = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final List<Block> chain = new ArrayList<>();
    private long number;

    private final BlockSignatures signatures = new BlockSignatures(
            VERIFIER, new PayloadStore(1 << 20, 4, 0), new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> {}));

    private record Request(int to, long from, int count) {}

    private final List<Request> requests = new ArrayList<>();
    private final List<CheckedBlocks> verdicts = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private final List<Long> checkedFrom = new ArrayList<>();
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
                null,
                (answer, membership) -> {
                    checkedFrom.add(answer.from());
                    verdicts.add(signatures.check(answer, membership));
                },
                limits,
                new NoEvents() {
                    @Override
                    public void transferRefused(int source, long from, String fault) {
                        refusals.add(fault);
                    }
                });
    }

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    @Test
    void shouldVerifyAKeyThatAnEarlierBlockOfTheSameAnswerAdds() {
        addKey(2, second);
        order(2, second);

        assertThat(check(1, 2).fault()).isEmpty();
        assertThat(check(2, 2).fault()).isEqualTo("block 2: batch 0 names no known key: broker 1, key 2");
    }

    @Test
    void shouldRefuseAKeyInTheBlockThatAddsIt() {
        add(transaction(1, TestMembers.addKey(2, second)), orderBatch(2, second));

        assertThat(check(1, 1).fault()).isEqualTo("block 1: batch 1 names no known key: broker 1, key 2");
    }

    @Test
    void shouldRefuseAnAdministrativeBatchThatItsProposerDidNotSign() {
        byte[] forged = transaction(1, TestMembers.addKey(2, second));
        forged[forged.length - 9] ^= 1;
        add(forged);

        assertThat(check(1, 1).fault()).isEqualTo("block 1: batch 0 is not signed by its proposer");
    }

    @Test
    void shouldVerifyAKeyAfterItWasRevoked() {
        addKey(2, second);
        add(transaction(2, TestMembers.revokeKey(2)));
        order(2, second);

        assertThat(check(1, 3).fault()).as("the engine judges that").isEmpty();
    }

    /** Answers come last first, and all but the first need what blocks before them change. */
    @Test
    void shouldHaveAnswersWaitForTheMembershipOfBlocksBeforeThem() {
        StableCertificate target = chainThatAddsKeys();

        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        answerLastFirst();
        for (int round = 1; round < 10 && transfer.isRunning(); round++) {
            transfer.onTick(4_000_000_000L * round);
            answerLastFirst();
        }

        assertThat(refusals).isEmpty();
        assertThat(transfer.pollReached()).isEqualTo(target);
        assertThat(checkedFrom).as("each once").doesNotHaveDuplicates();
        for (Block expected : chain) {
            assertThat(transfer.pollVerified().hash()).isEqualTo(expected.hash());
        }
    }

    /** Those that were not held are checked again, by the membership that was in effect for them. */
    @Test
    void shouldFollowTheMembershipOfBlocksThatComeAgain() {
        StableCertificate target = chainThatAddsKeys();
        long heldMax = 3L * (chain.getFirst().length() + LinkedBlocks.BYTES_PER_BLOCK);
        transfer = transfer(new StateTransfer.Limits(INTERVAL, LENGTH, heldMax));
        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        List<Digest> polled = new ArrayList<>();
        for (int round = 1; round < LENGTH && transfer.isRunning(); round++) {
            answerLastFirst();
            for (DecodedBlock next = transfer.pollVerified(); next != null; next = transfer.pollVerified()) {
                polled.add(next.hash());
            }
            transfer.onTick(0);
        }

        assertThat(refusals).isEmpty();
        assertThat(transfer.pollReached()).isEqualTo(target);
        assertThat(polled).isEqualTo(chain.stream().map(Block::hash).toList());
    }

    private StableCertificate chainThatAddsKeys() {
        while (chain.size() < LENGTH) {
            int sequence = chain.size() + 1;
            switch (sequence) {
                case 10 -> addKey(2, second);
                case 40 -> addKey(3, third);
                default -> {
                    if (sequence > 40) {
                        order(3, third);
                    } else if (sequence > 10) {
                        order(2, second);
                    } else {
                        order();
                    }
                }
            }
        }
        return new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
    }

    /** The one who sends it cannot show that the chain is as it says; the transfer goes on without it. */
    @Test
    void shouldNotWaitForALinkThatIsALie() {
        addKey(2, second);
        while (chain.size() < LENGTH) {
            order(2, second);
        }
        Block first = chain.get(INTERVAL);
        byte[] lie = first.bytes().clone();
        lie[136] = (byte) INTERVAL;
        StableCertificate target =
                new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        Request second = requests.stream()
                .filter(request -> request.from() == INTERVAL + 1)
                .findFirst()
                .orElseThrow();
        requests.remove(second);
        List<byte[]> blocks = new ArrayList<>(range(second));
        blocks.set(0, lie);

        transfer.onBlocks(second.to(), second.from(), blocks, null, 0);
        answerLastFirst();
        for (int round = 1; round < 10 && transfer.isRunning(); round++) {
            transfer.onTick(4_000_000_000L * round);
            answerLastFirst();
        }

        assertThat(transfer.pollReached()).isEqualTo(target);
    }

    /** Honest answers are not judged by the keys of a forged beginning, whatever it is. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveAForgedBeginningWithoutItsKeys(boolean hasAdministration) {
        order();
        addKey(2, second);
        while (chain.size() < LENGTH) {
            order(2, second);
        }
        List<byte[]> forged = forgedBeginning(hasAdministration);
        StableCertificate target =
                new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        Request first = requests.remove(0);
        assertThat(first.from()).isEqualTo(1);

        transfer.onBlocks(first.to(), 1, forged, null, 0);
        answerLastFirst();
        for (int round = 1; round < 20 && transfer.isRunning(); round++) {
            transfer.onTick(4_000_000_000L * round);
            answerLastFirst();
        }

        assertThat(transfer.pollReached()).isEqualTo(target);
        for (Block expected : chain) {
            assertThat(transfer.pollVerified().hash()).isEqualTo(expected.hash());
        }
    }

    /** Returns a first range that one member alone can make; it adds no key. */
    private List<byte[]> forgedBeginning(boolean hasAdministration) {
        List<byte[]> forged = new ArrayList<>();
        Block first = chain.getFirst();
        byte[] repeated =
                Arrays.copyOfRange(first.array(), first.batchOffset(0), first.batchOffset(0) + first.batchLength(0));
        Digest previous = Digest.ZERO;
        long administrationBlock = 0;
        for (int sequence = 1; sequence <= INTERVAL; sequence++) {
            // A member alone can sign a batch whose transaction changes nothing, and repeat one that a broker signed.
            byte[] batch = sequence == 2 && hasAdministration
                    ? members.batch(BatchPosition.first(3), new byte[] {1})
                    : repeated;
            Block block = TestMembers.block(sequence, previous, administrationBlock, batch);
            forged.add(block.bytes());
            previous = block.hash();
            administrationBlock = block.lastAdministrationBlock();
        }
        return forged;
    }

    /** The liar stops at the block that it has forged: no answer follows it at once and shows that it does not link. */
    @Test
    void shouldRefuseNoHonestPeerByTheKeysOfAForgedBeginning() {
        order();
        addKey(2, second);
        while (chain.size() < LENGTH) {
            order(2, second);
        }
        StableCertificate target =
                new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        Request first = requests.remove(0);
        assertThat(first.from()).isEqualTo(1);

        transfer.onBlocks(first.to(), 1, forgedBeginning(true).subList(0, 2), null, 0);
        requests.removeIf(request -> request.from() <= INTERVAL);
        for (int round = 1; round < 20 && transfer.isRunning(); round++) {
            requests.removeIf(request -> request.to() == first.to());
            answerLastFirst();
            transfer.onTick(4_000_000_000L * round);
        }

        assertThat(refusals).as("of the liar alone").containsOnly("block 2 is not the one that is certified");
        assertThat(transfer.pollReached()).isEqualTo(target);
    }

    @Test
    void shouldRefuseOtherBlocksThanWereAskedFor() {
        while (chain.size() < LENGTH) {
            order();
        }
        StableCertificate target =
                new StableCertificate(LENGTH, chain.getLast().hash(), Digest.ZERO, Digest.ZERO, List.of());
        transfer.start(target, LastBlock.none(Digest.ZERO), start, 0);
        Request first = requests.remove(0);

        transfer.onBlocks(
                first.to(), 1, List.of(chain.get(0).bytes(), chain.get(2).bytes()), null, 0);

        assertThat(refusals).containsExactly("block 3 came, 2 was expected");
    }

    private void answerLastFirst() {
        for (int turn = 0; turn < TURNS_MAX && !(requests.isEmpty() && verdicts.isEmpty()); turn++) {
            List<Request> asked = new ArrayList<>(requests);
            requests.clear();
            asked.sort(Comparator.comparingLong(Request::from).reversed());
            asked.forEach(request -> transfer.onBlocks(request.to(), request.from(), range(request), null, 0));
            List<CheckedBlocks> made = new ArrayList<>(verdicts);
            verdicts.clear();
            made.forEach(verdict -> transfer.onChecked(verdict, 0));
        }
    }

    private List<byte[]> range(Request request) {
        int from = (int) request.from() - 1;
        return chain.subList(from, from + request.count()).stream()
                .map(Block::bytes)
                .toList();
    }

    private CheckedBlocks check(int from, int to) {
        return signatures.check(new ReceivedBlocks(1, from, chain.subList(from - 1, to)), start);
    }

    private void addKey(int keyId, Signer key) {
        add(transaction(keyId - 1, TestMembers.addKey(keyId, key)));
    }

    private byte[] transaction(long transaction, Change change) {
        BatchPosition position = new BatchPosition(1, ++number, Digest.ZERO);
        return members.batch(position, members.transaction(transaction, change, 0, 1, 2));
    }

    private void order() {
        order(1, members.broker());
    }

    private void order(int keyId, Signer key) {
        add(orderBatch(keyId, key));
    }

    private void add(byte[]... batches) {
        Digest previous = chain.isEmpty() ? Digest.ZERO : chain.getLast().hash();
        long administrationBlock = chain.isEmpty() ? 0 : chain.getLast().lastAdministrationBlock();
        chain.add(TestMembers.block(chain.size() + 1, previous, administrationBlock, batches));
    }

    private byte[] orderBatch(int keyId, Signer key) {
        return members.orderBatch(keyId, key, ++number);
    }
}
