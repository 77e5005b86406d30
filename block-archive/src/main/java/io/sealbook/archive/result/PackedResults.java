package io.sealbook.archive.result;

import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.ResultLeaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The messages of a leaf of a result tree: SBE messages with their headers, packed and unpacked. */
public final class PackedResults {
    private PackedResults() {}

    /**
     * Packs the messages of a leaf.
     *
     * @param kind of all of them
     * @param messages in their order, 1..{@link ResultLeaf#RUN_MAX}
     */
    public static byte[] pack(ResultLeaf.Kind kind, List<byte[]> messages) {
        RecordPacker packer = new RecordPacker(messageLength(kind));
        byte[] packed = new byte[messages.size() * packer.packedLengthMax() + RecordPacker.SLACK];
        int end = 0;
        for (byte[] message : messages) {
            end = packer.pack(message, 0, packed, end);
        }
        return Arrays.copyOf(packed, end);
    }

    /**
     * Unpacks the messages of a leaf.
     *
     * @param kind of all of them
     * @param packed may come from a stranger; not changed
     * @throws IllegalArgumentException if the bytes are no whole messages of this kind, or too many
     */
    public static List<byte[]> unpack(ResultLeaf.Kind kind, byte[] packed) {
        int length = messageLength(kind);
        RecordPacker packer = new RecordPacker(length);
        byte[] padded = Arrays.copyOf(packed, packed.length + packer.packedLengthMax() + RecordPacker.SLACK);
        List<byte[]> messages = new ArrayList<>();
        int end = 0;
        while (end < packed.length && messages.size() < ResultLeaf.RUN_MAX) {
            end = packer.unpack(padded, end);
            byte[] message = new byte[length];
            packer.copy(message, 0);
            messages.add(message);
        }
        if (end != packed.length) {
            throw new IllegalArgumentException(
                    messages.size() + " messages end at byte " + end + " of " + packed.length);
        }
        return messages;
    }

    private static int messageLength(ResultLeaf.Kind kind) {
        return switch (kind) {
            case REPORT -> ReportFields.MESSAGE_LENGTH;
            case TRADE -> TradeFields.MESSAGE_LENGTH;
        };
    }
}
