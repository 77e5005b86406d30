package io.sealbook.perf.inline;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.client.Order;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;

/** A block in which broker 2 buys 4 of the 10 that broker 1 sells at 100. */
final class TwoOrders {
    /**
     * Key 1 of each broker. No signature is verified here, but engines execute batches under keys of the chain only.
     */
    static final BrokerKey KEY = BrokerKey.newBuilder()
            .setKeyId(1)
            .setKey(PublicKey.newBuilder()
                    .setSchemeValue(SignatureScheme.ECDSA_SECP256K1_SHA256.code())
                    .setPoint(ByteString.copyFrom(SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256)
                            .verificationKey()
                            .point())))
            .build();

    static final Genesis GENESIS = GenesisFile.withDefaults(Genesis.newBuilder()
            .setChainId(1)
            .setParameters(Parameters.newBuilder()
                    .setOrderCountMax(1)
                    .setValidityBlocksMax(10)
                    .setSessionsPerBroker(16))
            .addInstruments(Instrument.newBuilder()
                    .setInstrumentId(1)
                    .setSymbol("TWO")
                    .setPriceMin(1)
                    .setPriceMax(200)
                    .setQuantityMax(100))
            .addBrokers(broker(1))
            .addBrokers(broker(2))
            .build());

    private TwoOrders() {}

    private static Broker broker(int id) {
        return Broker.newBuilder()
                .setBrokerId(id)
                .addAccounts(AccountRange.newBuilder().setFirst(id))
                .addKeys(KEY)
                .build();
    }

    static Block crossing() {
        return buyingAt(101);
    }

    /** Returns a block whose second order is at another price. */
    static Block buyingAt(long price) {
        BlockBuilder builder = new BlockBuilder().begin(1, 0, 1, Digest.ZERO, Digest.ZERO);
        add(builder, 1, Order.limit(11, 1, 1, Side.SELL, 100, 10));
        add(builder, 2, Order.limit(22, 2, 1, Side.BUY, price, 4));
        return builder.buildBlock();
    }

    private static void add(BlockBuilder builder, int brokerId, Order order) {
        OrderBatchEncoder encoder = new OrderBatchEncoder(1);
        encoder.begin(1, brokerId, 1, SignatureScheme.ECDSA_SECP256K1_SHA256, BatchPosition.first(0), 5, 1);
        encoder.add(order);
        builder.add(
                Digest.sha256(new byte[] {(byte) brokerId}),
                1,
                encoder.array(),
                0,
                encoder.finish() + SignedBatch.SIGNATURE_LENGTH);
    }
}
