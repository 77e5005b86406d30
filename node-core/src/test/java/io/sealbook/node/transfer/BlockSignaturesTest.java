package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockHeader;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SigningKey;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Blocks whose hash is right and whose signatures are, or are not, their brokers'. */
class BlockSignaturesTest {
    private static final long CHAIN = 4711;
    private static final int BATCHES = 300;
    private static final SigningKey SM2 = SigningKey.generate(SignatureScheme.SM2_SM3);
    private static final SigningKey SECP256K1 = SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private static final CountingVerifier VERIFIER = new CountingVerifier();

    private int decoded;
    private final PayloadStore payloads = new PayloadStore(1 << 20, 4, 0);
    private final BlockSignatures signatures = new BlockSignatures(
            VERIFIER, payloads, new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> decoded += count));

    @AfterAll
    static void close() {
        VERIFIER.close();
    }

    @Test
    void shouldFindNothingWrongWithBlocksOfManyBatches() throws Exception {
        assertThat(fault(List.of(block(batches()), block(List.of(batch(1, 8))), block(batches()))))
                .isEmpty();
    }

    @Test
    void shouldFindAnAlteredByteOfASignatureWhereverItStands() throws Exception {
        for (int broker = 1; broker <= 2; broker++) {
            for (int at : new int[] {0, 31, 32, 63, 64}) {
                byte[] altered = batch(broker, 7);
                altered[altered.length - SignedBatch.SIGNATURE_LENGTH + at] ^= 1;
                Block block = block(List.of(batch(1, 8), altered, batch(2, 9)));

                assertThat(BlockSignatures.hasItsBatches(block))
                        .as("the hash does not show it")
                        .isTrue();
                assertThat(fault(List.of(block)))
                        .as("broker %d, byte %d", broker, at)
                        .contains("is not signed by its broker");
            }
        }
    }

    @Test
    void shouldFindTheLastOfManyAndTheSignatureOfAnother() throws Exception {
        List<byte[]> batches = batches();
        byte[] last = batches.get(BATCHES - 1);
        last[last.length - 5] ^= 4;
        assertThat(fault(List.of(block(batches)))).contains("is not signed by its broker");

        byte[] borrowed = batch(1, 1);
        System.arraycopy(batch(1, 2), borrowed.length - 65, borrowed, borrowed.length - 65, 65);
        assertThat(fault(List.of(block(List.of(borrowed))))).contains("is not signed by its broker");
    }

    @Test
    void shouldRefuseABatchOfNobodyAndBytesThatAreNotTheIds() throws Exception {
        assertThat(fault(List.of(block(List.of(batch(3, 1))))))
                .isEqualTo("block 1: batch 0 names no known key: broker 3, key 1");

        byte[] block = block(List.of(batch(1, 1))).bytes();
        block[block.length - SignedBatch.SIGNATURE_LENGTH - 1] ^= 1;
        assertThat(fault(List.of(Block.wrap(block)))).contains("not those of its header");
    }

    /** No proposal is empty. Its header costs a sender nothing, and no signature in it can be wrong. */
    @Test
    void shouldRefuseABlockWithoutBatches() throws Exception {
        assertThat(fault(List.of(block(List.of(batch(1, 1))), block(List.of()))))
                .contains("it has no batches");
    }

    @Test
    void shouldRefuseATimeThatIsNotTheBlocks() throws Exception {
        byte[] block = block(List.of(batch(1, 1), batch(1, 2))).bytes();
        block[BlockHeader.LENGTH + 48 + 32] ^= 1;

        assertThat(Block.wrap(block).hasMerkleRoot())
                .as("the hash does not show it")
                .isTrue();
        assertThat(fault(List.of(Block.wrap(block)))).contains("not those of its header");
    }

    @Test
    void shouldVerifyNothingAgainThatItVerifiedItself() throws Exception {
        byte[] known = batch(1, 1);
        Digest id = BatchId.of(known);
        payloads.put(new Payload(id, known, 1, BatchPosition.first(0), 10, 1, 0, 1, 1));
        int before = VERIFIER.verified;

        assertThat(fault(List.of(block(List.of(known))))).isEmpty();
        assertThat(VERIFIER.verified).isEqualTo(before);

        byte[] altered = known.clone();
        altered[altered.length - 2] ^= 1;
        assertThat(fault(List.of(block(List.of(altered))))).contains("is not signed by its broker");
    }

    @Test
    void shouldDecodeEachHeaderOnceAndTakeThatOfAnAdmittedBatch() throws Exception {
        byte[] known = batch(1, 1);
        payloads.put(new Payload(BatchId.of(known), known, 71, new BatchPosition(0, 72, Digest.ZERO), 73, 74, 0, 1, 1));
        List<Block> blocks = List.of(block(batches()), block(List.of(batch(1, 9))), block(List.of(batch(2, 8), known)));

        CheckedBlocks checked = signatures.check(new ReceivedBlocks(0, 1, blocks), Membership.of(genesis()));

        assertThat(decoded).as("all but the admitted one").isEqualTo(BATCHES + 2);
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(checked.blocks().get(i).block()).isSameAs(blocks.get(i));
        }
        BatchHeaders many = checked.blocks().get(0).headers();
        assertThat(many.count()).isEqualTo(BATCHES);
        assertThat(many.brokerId(BATCHES - 1)).isEqualTo(2);
        assertThat(many.number(BATCHES - 1)).isEqualTo(BATCHES - 1);
        assertThat(many.orderCount()).isEqualTo(BATCHES);
        BatchHeaders last = checked.blocks().get(2).headers();
        assertThat(last.number(0)).isEqualTo(8);
        assertThat(List.of(last.brokerId(1), last.number(1), last.validUntilBlock(1), last.orderCount(1)))
                .as("decoded at its admission")
                .containsExactly(71, 72L, 73L, 74);
        assertThat(decoded).as("reading decodes nothing").isEqualTo(BATCHES + 2);
    }

    private String fault(List<Block> blocks) {
        CheckedBlocks checked = signatures.check(new ReceivedBlocks(0, 1, blocks), Membership.of(genesis()));
        assertThat(checked.blocks()).hasSize(checked.isRight() ? blocks.size() : 0);
        return checked.fault();
    }

    private static List<byte[]> batches() throws Exception {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            batches.add(batch(1 + i % 2, i));
        }
        return batches;
    }

    private static Block block(List<byte[]> batches) throws Exception {
        BlockBuilder builder = new BlockBuilder().begin(1, 0, 1, Digest.ZERO, Digest.ZERO);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), 1, batch, 0, batch.length);
        }
        return Block.wrap(builder.build());
    }

    private static byte[] batch(int brokerId, long number) throws Exception {
        SigningKey key = brokerId == 2 ? SECP256K1 : SM2;
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.signedLength(1)]);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .chainId(CHAIN)
                .number(number)
                .brokerId(brokerId)
                .keyId(1)
                .ordersCount(1)
                .next();
        byte[] bytes = buffer.byteArray();

        buffer.putByte(BatchView.SCHEME_OFFSET, (byte) key.scheme().code());
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN, BatchId.of(bytes).bytes(), 0);
        key.signer().sign(region, 0, region.length, bytes, bytes.length - SignedBatch.SIGNATURE_LENGTH);
        return bytes;
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(CHAIN);
        for (SigningKey key : List.of(SM2, SECP256K1)) {
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(genesis.getBrokersCount() + 1)
                    .addKeys(BrokerKey.newBuilder()
                            .setKeyId(1)
                            .setKey(PublicKey.newBuilder()
                                    .setSchemeValue(key.scheme().code())
                                    .setPoint(ByteString.copyFrom(
                                            key.verificationKey().point())))));
        }
        return genesis.build();
    }

    private static final class CountingVerifier implements SignatureVerifier {
        private final SignatureVerifier real = SignatureProviders.named("bc");
        private int verified;

        @Override
        public String provider() {
            return real.provider();
        }

        @Override
        public int verify(SignatureBatch batch) {
            verified += batch.size();
            return real.verify(batch);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
