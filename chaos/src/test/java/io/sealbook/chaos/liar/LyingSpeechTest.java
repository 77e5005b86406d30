package io.sealbook.chaos.liar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Signature;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lie that nobody would notice proves nothing: each lie leaves the node as it is meant. */
class LyingSpeechTest {
    private static final int SELF = 0;
    private static final long CHAIN_ID = 7;
    private static final SigningKey KEY = SigningKey.generate(SignatureScheme.SM2_SM3);
    private static final Prepare VOTE =
            new Prepare(0, 3, Digest.sha256(new byte[] {3}), SELF, Signature.of(new byte[65]));

    @TempDir
    private Path directory;

    private final SpokenWords spoken = new SpokenWords();
    private LieFile file;
    private PresentLie lie;
    private LyingSpeech speech;

    @BeforeEach
    void wire() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(CHAIN_ID);
        IntStream.range(0, 4).forEach(node -> genesis.addNodes(Node.newBuilder().setNodeId(node)));
        file = new LieFile(directory);
        lie = new PresentLie(file);
        speech = new LyingSpeech(spoken, SELF, genesis.build(), KEY.signer(), lie);
    }

    private void begin(Lie present) throws Exception {
        file.begin(present);
        lie.set(file.present());
        assertThat(file.isTold()).isFalse();
    }

    @Test
    void shouldPassEverythingOnWithoutALie() throws Exception {
        begin(Lie.MUTE);
        file.end();
        lie.set(file.present());

        speech.broadcast(VOTE);
        speech.send(2, VOTE);
        speech.broadcastPayload(Digest.ZERO, new byte[] {1});

        assertThat(spoken.said).containsExactly("all " + VOTE, "2 " + VOTE, "all payload");
        assertThat(file.isTold()).isFalse();
        assertThat(file.hasLied()).isFalse();
    }

    @Test
    void shouldProposeTwoBlocksUnderItsOwnSignature() throws Exception {
        begin(Lie.EQUIVOCATE);
        Proposal proposal = new Proposal(0, 3, 1_000, Digest.ZERO, List.of());
        PrePrepare message = new PrePrepare(0, proposal.sequence(), proposal, SELF, Signature.of(new byte[65]));

        speech.broadcast(message);

        assertThat(spoken.messages).hasSize(3);
        PrePrepare toOne = (PrePrepare) spoken.messages.get(0);
        assertThat(spoken.messages.get(1)).isSameAs(message);
        assertThat(spoken.messages.get(2)).isEqualTo(toOne);
        assertThat(toOne.digest()).isNotEqualTo(message.digest());
        SignatureBatch signatures = new SignatureBatch(1);
        signatures.add(
                KEY.verificationKey(),
                PrePrepare.signedBytes(Epoch.first(CHAIN_ID), 0, message.sequence(), toOne.digest(), SELF),
                toOne.signature().bytes());
        assertThat(SignatureProviders.named(BouncyCastleProvider.NAME).verify(signatures))
                .isEqualTo(1);
        assertThat(file.isTold()).isTrue();
        file.end();
        file.begin(Lie.EQUIVOCATE);
        assertThat(file.hasLied()).isTrue();

        spoken.messages.clear();
        speech.broadcast(new Prepare(0, message.sequence(), message.digest(), SELF, Signature.of(new byte[65])));
        assertThat(((Prepare) spoken.messages.get(0)).digest()).isEqualTo(toOne.digest());
        assertThat(((Prepare) spoken.messages.get(1)).digest()).isEqualTo(message.digest());
    }

    @Test
    void shouldSpeakToOneMemberOnly() throws Exception {
        for (Lie silence : List.of(Lie.MUTE, Lie.WITHHOLD)) {
            begin(silence);
            spoken.said.clear();

            speech.broadcastPayload(Digest.ZERO, new byte[] {1});
            speech.sendBlocks(2, 1, List.of(new byte[0]), null);

            assertThat(spoken.said).containsExactly("1 payload");
            assertThat(file.isTold()).isTrue();
        }
        begin(Lie.MUTE);
        spoken.said.clear();
        speech.broadcast(VOTE);
        assertThat(spoken.said).containsExactly("1 " + VOTE);
    }

    @Test
    void shouldFloodWithJunkAndOldMessages() throws Exception {
        for (Lie flood : List.of(Lie.JUNK, Lie.REPLAY)) {
            begin(flood);
            spoken.said.clear();

            speech.broadcast(VOTE);

            assertThat(spoken.said).hasSize(41).startsWith("all " + VOTE);
            assertThat(spoken.said.subList(1, 41).contains("all " + VOTE)).isEqualTo(flood == Lie.REPLAY);
            assertThat(file.isTold()).isTrue();
        }
    }

    @Test
    void shouldForgeVotesAndChains() throws Exception {
        begin(Lie.FORGE);
        byte[] batch = new BatchSealer(CHAIN_ID, 2, 1, KEY.signer(), 256, BatchPosition.first(0))
                .seal(new SeededOrders(5, 2, 3).batch(1), 1_000, 1)
                .signedBytes();
        Digest batchId = BatchId.of(batch);
        Block block = new BlockBuilder()
                .begin(5, 0, 9, Digest.ZERO, Digest.ZERO)
                .add(batchId, 8, batch, 0, batch.length)
                .buildBlock();

        speech.sendBlocks(2, 5, List.of(block.bytes()), null);
        for (int i = 0; i < 200; i++) {
            speech.broadcast(VOTE);
        }

        Block forged = Block.wrap(spoken.blocks);
        assertThat(forged.hash()).isNotEqualTo(block.hash());
        assertThat(forged.batchCount()).isEqualTo(1);
        assertThat(forged.batchId(0)).isEqualTo(batchId);
        assertThat(Arrays.copyOfRange(
                        forged.array(), forged.batchOffset(0), forged.batchOffset(0) + forged.batchLength(0)))
                .isEqualTo(batch);
        assertThat(spoken.messages)
                .contains(VOTE)
                .anyMatch(message -> ((Prepare) message).sender() == 1)
                .anyMatch(message -> !((Prepare) message).digest().equals(VOTE.digest()));
        assertThat(file.isTold()).isTrue();
    }
}
