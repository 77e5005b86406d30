package io.sealbook.perf.siege;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import io.sealbook.vocabulary.AdministrativeBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A request for each method: of what belongs to the honest broker, and answered at once. */
final class DoorRequests {
    private static final int HASH_LENGTH = 32;
    private static final int BATCH_LENGTH = 256;
    private static final int TEMPLATE_OFFSET = 2;
    private static final int SESSION_OFFSET = 78;

    private DoorRequests() {}

    /** Returns the bytes of the request of a method; those of a method without fields are empty. */
    static byte[] of(String method) {
        return message(method, Identities.HONEST_BROKER).toByteArray();
    }

    /** Returns the same of what belongs to the attacker. */
    static byte[] ofAttacker(String method) {
        return message(method, Identities.ATTACKER).toByteArray();
    }

    private static MessageLite message(String method, int broker) {
        return switch (method.substring(method.indexOf('/') + 1)) {
            case "Logon" -> LogonRequest.newBuilder().setBrokerId(broker).build();
            case "FollowReceipts" ->
                FollowReceiptsRequest.newBuilder()
                        .setBrokerId(broker)
                        .setFromBlock(1)
                        .build();
            case "GetBlocks" ->
                GetBlocksRequest.newBuilder()
                        .setFromSequence(1)
                        .setToSequence(1)
                        .build();
            case "GetInclusionProof" ->
                GetInclusionProofRequest.newBuilder()
                        .setBatchId(ByteString.copyFrom(new byte[HASH_LENGTH]))
                        .setBlockSequence(1)
                        .build();
            case "SubmitTransaction" ->
                SubmitTransactionRequest.newBuilder()
                        .setSignedBatch(ByteString.copyFrom(ofMember(0)))
                        .build();
            case "FollowBlocks" ->
                FollowBlocksRequest.newBuilder().setFromBlock(1).build();
            case "GetLastReport" ->
                GetLastReportRequest.newBuilder().setBrokerId(broker).build();
            case "Follow" ->
                FollowReportsRequest.newBuilder()
                        .setBrokerId(broker)
                        .setFromSequence(1)
                        .build();
            case "FollowByBlock" ->
                FollowReportsByBlockRequest.newBuilder()
                        .setBrokerId(broker)
                        .setFromSequence(1)
                        .build();
            case "TraceOrder" ->
                TraceOrderRequest.newBuilder().setBrokerId(broker).setClOrdId(1).build();
            case "GetOpenOrders" ->
                OpenOrdersRequest.newBuilder().setBrokerId(broker).build();
            case "GetPositions" ->
                PositionsRequest.newBuilder().setBrokerId(broker).build();
            case "FollowBestPrices", "FollowDepth", "FollowTrades" ->
                MarketDataRequest.newBuilder()
                        .addInstrumentIds(1)
                        .addInstrumentIds(2)
                        .setLevels(1)
                        .build();
            default -> LogonRequest.getDefaultInstance();
        };
    }

    /** Returns bytes that begin as an administrative batch of a member does, and are none. */
    static byte[] ofMember(int node) {
        return ByteBuffer.allocate(BATCH_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort(TEMPLATE_OFFSET, (short) AdministrativeBatch.TEMPLATE_ID)
                .putShort(SESSION_OFFSET, (short) node)
                .array();
    }
}
