package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.v1.BatchReceipt;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What all correct nodes agree on: batches in blocks, and one report for each entry, which is carried out as it is;
 * none for one that is too late. Guarded by the cluster's lock.
 */
final class TestHistory {
    private static final int ACTION_OFFSET = 40;
    /** Batches of a session that nodes recognize after their blocks. */
    private static final int REMEMBERED = 1_024;

    private final Map<ByteString, byte[]> pending = new LinkedHashMap<>();
    private final Map<Integer, SessionState> sessions = new TreeMap<>();
    private final Set<ByteString> committed = new HashSet<>();
    private final List<BlockReceipts> blocks = new ArrayList<>();
    private final List<List<byte[]>> reports = new ArrayList<>();
    private long reportCount;
    /** Whether blocks come after the time to live of every batch. */
    boolean areBlocksLate;

    private final List<Long> executedClOrdIds = new ArrayList<>();

    long lastBlock() {
        return blocks.size();
    }

    boolean isKnown(ByteString batchId) {
        return pending.containsKey(batchId) || committed.contains(batchId);
    }

    /** Returns whether a batch is in a block that is so old that nodes do not recognize it. */
    boolean isForgotten(ByteString batchId, byte[] signedBatch) {
        BatchPosition position = new BatchView().wrap(signedBatch).position();
        long delivered = sessionOf(position.session()).getDeliveredNumber();
        return committed.contains(batchId) && position.number() <= delivered - REMEMBERED;
    }

    void admit(ByteString batchId, byte[] signedBatch) {
        pending.put(batchId, signedBatch);
        BatchPosition position = new BatchView().wrap(signedBatch).position();
        sessions.put(
                position.session(),
                SessionState.newBuilder()
                        .setSession(position.session())
                        .setExpectedNumber(position.number() + 1)
                        .setPrevious(batchId)
                        .setDeliveredNumber(sessionOf(position.session()).getDeliveredNumber())
                        .build());
    }

    /** Returns the sessions that have had a batch. */
    List<SessionState> sessions() {
        return List.copyOf(sessions.values());
    }

    private SessionState sessionOf(int session) {
        return sessions.getOrDefault(session, SessionState.getDefaultInstance());
    }

    int pendingCount() {
        return pending.size();
    }

    /** Makes a block of everything pending; may be empty. */
    void commit() {
        long sequence = blocks.size() + 1L;
        ByteString hash = ByteString.copyFrom(sha256(("block " + sequence).getBytes()));
        BlockReceipts.Builder block = BlockReceipts.newBuilder()
                .setBlockSequence(sequence)
                .setBlockTimeNs(sequence * 1_000_000)
                .setBlockHash(hash);
        List<byte[]> blockReports = new ArrayList<>();
        for (Map.Entry<ByteString, byte[]> entry : pending.entrySet()) {
            int index = block.getBatchesCount();
            block.addBatches(
                    BatchReceipt.newBuilder().setBatchId(entry.getKey()).setBatchIndex(index));
            committed.add(entry.getKey());
            execute(sequence, index, entry.getValue(), blockReports);
        }
        if (!blockReports.isEmpty()) {
            reports.add(blockReports);
        }
        pending.clear();
        sessions.replaceAll((session, state) -> state.toBuilder()
                .setDeliveredNumber(state.getExpectedNumber() - 1)
                .build());
        blocks.add(block.build());
    }

    BlockReceipts block(long sequence) {
        return blocks.get((int) sequence - 1);
    }

    /** Returns the reports of each block that has any. */
    List<List<byte[]>> reports() {
        return reports;
    }

    List<Long> executedClOrdIds() {
        return executedClOrdIds;
    }

    private void execute(long block, int batchIndex, byte[] signedBatch, List<byte[]> blockReports) {
        ByteBuffer batch = ByteBuffer.wrap(signedBatch).order(ByteOrder.LITTLE_ENDIAN);
        int orderCount = batch.getShort(SignedBatch.ORDERS_OFFSET - 2);
        int brokerId = batch.getInt(SignedBatch.MESSAGE_HEADER_LENGTH + 64);
        boolean isLate = areBlocksLate && new BatchView().wrap(signedBatch).timeToLive() > 0;
        for (int i = 0; i < orderCount; i++) {
            int order = SignedBatch.ORDERS_OFFSET + i * SignedBatch.ORDER_LENGTH;
            Action action = Action.get(batch.get(order + ACTION_OFFSET));
            if (isLate && action != Action.CANCEL && action != Action.MASS_CANCEL) {
                continue;
            }
            executedClOrdIds.add(batch.getLong(order));
            byte[] accepted = ReportBytes.accepted(++reportCount, block, brokerId, batchIndex, i, batch.getLong(order));
            blockReports.add(ReportBytes.carriedOut(accepted, action, batch.getLong(order + Long.BYTES)));
        }
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
