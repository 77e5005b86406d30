package io.sealbook.node.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SigningKey;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Four members, of which one may lie; a source that may be that one. */
class FollowedChainTest {
    private static final long CHAIN = 4711;
    private static final int LENGTH = 12;
    private static final long HELD_MAX = 1 << 20;
    private static final List<SigningKey> KEYS = IntStream.range(0, 4)
            .mapToObj(i -> SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256))
            .toList();
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");

    private final List<Block> blocks = chain(0);
    private final List<Block> fork = chain(1);
    private final FollowedChain chain = chain(new FollowTerms(false, HELD_MAX));

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    @Test
    void shouldHoldBlocksUntilACertificateCoversThem() {
        assertThat(send(1, 8)).isEmpty();
        assertThat(chain.pollBlock()).isNull();

        assertThat(chain.onCertificate(certificate(4, blocks, 0, 1, 2))).isEmpty();

        assertThat(polled()).isEqualTo(4);
        assertThat(chain.pollCertificate().sequence()).isEqualTo(4);
        assertThat(chain.confirmedEnd()).isEqualTo(4);
        assertThat(chain.nextSequence()).isEqualTo(9);
    }

    @Test
    void shouldRefuseAForgedCertificate() {
        send(1, 8);
        byte[] twoSigners = certificate(4, blocks, 0, 1);
        byte[] sameSigner = certificate(4, blocks, 1, 1, 1);
        byte[] altered = certificate(4, blocks, 0, 1, 2);
        altered[altered.length - 3] ^= 1;

        for (byte[] forged : List.of(twoSigners, sameSigner, altered)) {
            assertThat(chain.onCertificate(forged))
                    .hasValueSatisfying(fault ->
                            assertThat(fault).isEqualTo("certificate of block 4 has no quorum of valid signatures"));
        }
        assertThat(chain.onCertificate(new byte[] {1, 2, 3})).isPresent();
        assertThat(chain.pollBlock()).isNull();
    }

    @Test
    void shouldRefuseACertificateOfAnotherChain() {
        send(1, 8);

        assertThat(chain.onCertificate(certificate(4, fork, 0, 1, 2)))
                .hasValue("block 4 has another hash than its certificate");
        assertThat(chain.pollBlock()).isNull();
    }

    @Test
    void shouldRefuseEveryAlteredByteOfABlock() {
        byte[] right = blocks.get(0).bytes();
        int signatureAt = right.length - SignedBatch.SIGNATURE_LENGTH;
        for (int at = 0; at < signatureAt; at++) {
            byte[] altered = right.clone();
            altered[at] ^= 1;
            Optional<String> fault = chain.onBlock(altered);
            if (fault.isEmpty()) {
                // Header fields that only the hash covers: the next block does not link any more.
                assertThat(chain.onBlock(blocks.get(1).bytes()))
                        .as("byte %d", at)
                        .isPresent();
                chain.restart();
            }
            assertThat(chain.pollBlock()).isNull();
        }
        assertThat(chain.onBlock(right)).isEmpty();
    }

    @Test
    void shouldRefuseAGapARepetitionAndAnotherBeginning() {
        assertThat(chain.onBlock(blocks.get(1).bytes())).hasValue("block 2 came, 1 was expected");
        send(1, 2);
        assertThat(chain.onBlock(blocks.get(1).bytes())).hasValue("block 2 came, 3 was expected");
        chain.restart();
        FollowedChain other = chain(new FollowTerms(false, HELD_MAX));
        other.beginAfter(LastBlock.none(blocks.get(5).hash()), new ChainEpochs(genesis()), 0);
        assertThat(other.onBlock(blocks.get(0).bytes()))
                .hasValueSatisfying(fault -> assertThat(fault).startsWith("block 1 names predecessor"));
    }

    @Test
    void shouldRefuseABlockThatNamesAnotherAdministrationBlock() {
        send(1, 1);
        Block right = blocks.get(1);
        Digest id = right.batchId(0);
        Block wrong = new BlockBuilder()
                .begin(2, 0, 2, right.header().proposalDigest(), right.header().previousHash(), 1)
                .add(id, 2, right.array(), right.batchOffset(0), right.batchLength(0))
                .buildBlock();

        assertThat(chain.onBlock(wrong.bytes())).hasValue("block 2: administration block 1, expected 0");
        assertThat(chain.onBlock(right.bytes())).isEmpty();
    }

    @Test
    void shouldConfirmByHeadsOfTwoMembers() {
        send(1, 6);
        assertThat(chain.onHead(head(0, 6, blocks))).isEmpty();
        assertThat(chain.pollBlock()).as("one may lie").isNull();
        assertThat(chain.onHead(head(0, 5, blocks))).isEmpty();
        assertThat(chain.pollBlock()).as("the same one").isNull();

        assertThat(chain.onHead(head(3, 4, blocks))).isEmpty();

        assertThat(polled()).as("both have block 4").isEqualTo(4);
        assertThat(chain.onHead(head(3, 6, blocks))).isEmpty();
        assertThat(polled()).isEqualTo(2);
        assertThat(chain.onCertificate(certificate(4, blocks, 1, 2, 3)))
                .as("it may come later")
                .isEmpty();
        assertThat(chain.pollCertificate().sequence()).isEqualTo(4);
    }

    @Test
    void shouldConfirmByHeadsThatCameBeforeTheirBlocks() {
        for (int sequence = 1; sequence <= LENGTH; sequence++) {
            chain.onHead(head(1, sequence, blocks));
            chain.onHead(head(2, sequence, blocks));
        }
        assertThat(chain.knownHeight()).isEqualTo(LENGTH);

        send(1, LENGTH);

        assertThat(polled()).isEqualTo(LENGTH);
    }

    @Test
    void shouldFindAForkByTheHeadsOfTwoMembers() {
        for (Block block : fork) {
            assertThat(chain.onBlock(block.bytes())).isEmpty();
        }
        assertThat(chain.onHead(head(0, 9, fork))).isEmpty();
        assertThat(chain.onHead(head(1, 9, blocks))).as("one may lie").isEmpty();

        Optional<String> fault = chain.onHead(head(2, 8, blocks));

        assertThat(fault).isPresent();
        assertThat(fault.get()).contains("but f + 1 members have another one");
        assertThat(chain.pollBlock()).isNull();
        chain.restart();
        send(1, 9);
        assertThat(polled()).as("their heads are remembered").isEqualTo(8);
    }

    @Test
    void shouldIgnoreHeadsThatNobodySigned() {
        send(1, 3);
        MemberHead right = head(0, 3, blocks);
        chain.onHead(right);
        chain.onHead(new MemberHead(1, 3, right.blockHash(), right.signature()));
        chain.onHead(new MemberHead(4, 3, right.blockHash(), right.signature()));
        chain.onHead(new MemberHead(-1, 3, right.blockHash(), right.signature()));
        chain.onHead(new MemberHead(1, 3, right.blockHash(), new byte[64]));

        assertThat(chain.pollBlock()).isNull();
    }

    @Test
    void shouldNotBelieveTheHeightOfOneMember() {
        chain.onHead(head(0, LENGTH, blocks));
        assertThat(chain.knownHeight()).isZero();
        chain.onHead(head(1, 3, blocks));
        assertThat(chain.knownHeight()).isEqualTo(3);
    }

    @Test
    void shouldTrustItsSourceAloneWhereTheOperatorDoes() {
        FollowedChain trusting = chain(new FollowTerms(true, HELD_MAX));
        assertThat(trusting.onBlock(blocks.get(0).bytes())).isEmpty();

        assertThat(trusting.pollBlock().header().sequence()).isEqualTo(1);
    }

    @Test
    void shouldHoldABoundedNumberOfBytes() {
        FollowedChain small = chain(new FollowTerms(false, 3L * blocks.get(0).length()));
        for (int i = 0; i < 3; i++) {
            assertThat(small.onBlock(blocks.get(i).bytes())).isEmpty();
        }
        assertThat(small.onBlock(blocks.get(3).bytes()))
                .hasValueSatisfying(fault -> assertThat(fault).contains("blocks 1 to 4 exceed"));
    }

    @Test
    void shouldGoOnAfterStoredBlocks() {
        chain.beginAfter(LastBlock.of(blocks.get(3)), new ChainEpochs(genesis()), 4);
        send(5, 8);

        assertThat(chain.onCertificate(certificate(4, blocks, 0, 1, 2))).isEmpty();
        assertThat(chain.pollCertificate()).as("stored before").isNull();
        assertThat(chain.onCertificate(certificate(8, blocks, 0, 1, 2))).isEmpty();
        assertThat(polled()).isEqualTo(4);
    }

    /** A proposal of a chain with fair order names each run of a session, in the order of the block. */
    @Test
    void shouldReadAProposalWithFairOrderOffItsBlock() {
        Genesis fair = genesis().toBuilder()
                .setParameters(Parameters.newBuilder().setFairOrder(true))
                .build();
        List<byte[]> batches = List.of(batch(0, 1), batch(0, 2), batch(1, 1), batch(0, 3));
        List<SessionEnd> ends =
                List.of(end(0, 2, batches.get(1)), end(1, 1, batches.get(2)), end(0, 3, batches.get(3)));
        Proposal proposal = new Proposal(0, 1, 1, Digest.ZERO, ends);
        BlockBuilder block = new BlockBuilder().begin(1, 0, 1, proposal.digest(), Digest.ZERO);
        batches.forEach(batch -> block.add(BatchId.of(batch), 1, batch, 0, batch.length));
        byte[] bytes = block.build();
        FollowedChain ofFair = chain(new FollowTerms(false, HELD_MAX));
        ofFair.beginAfter(LastBlock.none(Digest.ZERO), new ChainEpochs(fair), 0);

        assertThat(ofFair.onBlock(bytes)).isEmpty();
        assertThat(chain.onBlock(bytes)).hasValue("block 1: its sessions are not those of its proposal");
    }

    private static byte[] batch(int session, int number) {
        byte[] batch = new byte[SignedBatch.signedLength(1)];
        batch[16] = (byte) number;
        batch[78] = (byte) session;
        return batch;
    }

    private static SessionEnd end(int session, int number, byte[] batch) {
        return new SessionEnd(SessionKey.of(0, session), number, BatchId.of(batch));
    }

    private Optional<String> send(int from, int to) {
        Optional<String> fault = Optional.empty();
        for (int sequence = from; sequence <= to && fault.isEmpty(); sequence++) {
            fault = chain.onBlock(blocks.get(sequence - 1).bytes());
        }
        return fault;
    }

    private int polled() {
        int count = 0;
        while (chain.pollBlock() != null) {
            count++;
        }
        return count;
    }

    private static FollowedChain chain(FollowTerms terms) {
        FollowedChain chain = new FollowedChain(terms, new BlockJudge(Optional.empty()), VERIFIER);
        chain.beginAfter(LastBlock.none(Digest.ZERO), new ChainEpochs(genesis()), 0);
        return chain;
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(CHAIN);
        for (SigningKey key : KEYS) {
            genesis.addNodes(Node.newBuilder()
                    .setNodeId(genesis.getNodesCount())
                    .setIdentity(PublicKey.newBuilder()
                            .setSchemeValue(key.scheme().code())
                            .setPoint(ByteString.copyFrom(key.verificationKey().point()))));
        }
        return genesis.build();
    }

    private static MemberHead head(int member, int sequence, List<Block> chain) {
        Digest hash = chain.get(sequence - 1).hash();
        byte[] signature = KEYS.get(member).signer().sign(MemberHead.signedBytes(CHAIN, sequence, hash));
        return new MemberHead(member, sequence, hash, signature);
    }

    private static byte[] certificate(int sequence, List<Block> chain, int... members) {
        Digest hash = chain.get(sequence - 1).hash();
        Digest proposal = chain.get(sequence - 1).header().proposalDigest();
        byte[] signed = CheckpointCertificate.signedBytes(CHAIN, sequence, hash, Digest.ZERO, proposal);
        List<CertificateSignature> signatures = IntStream.of(members)
                .mapToObj(member -> new CertificateSignature(
                        member, KEYS.get(member).signer().sign(signed)))
                .toList();
        return new CheckpointCertificate(sequence, hash, Digest.ZERO, proposal, signatures).encode();
    }

    private static List<Block> chain(int content) {
        List<Block> chain = new ArrayList<>();
        Digest previous = Digest.ZERO;
        Digest previousProposal = Digest.ZERO;
        for (int sequence = 1; sequence <= LENGTH; sequence++) {
            byte[] batch = new byte[SignedBatch.signedLength(1)];
            batch[16] = (byte) sequence;
            batch[41] = (byte) content;
            Digest id = BatchId.of(batch);
            Proposal proposal =
                    new Proposal(0, sequence, sequence, previousProposal, List.of(new SessionEnd(0, sequence, id)));
            Block block = Block.wrap(new BlockBuilder()
                    .begin(sequence, 0, sequence, proposal.digest(), previous)
                    .add(id, sequence, batch, 0, batch.length)
                    .build());
            chain.add(block);
            previous = block.hash();
            previousProposal = proposal.digest();
        }
        return chain;
    }
}
