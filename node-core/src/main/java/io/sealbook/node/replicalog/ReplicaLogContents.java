package io.sealbook.node.replicalog;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What a segment file of a replica log holds, for a reader that must not change it.
 *
 * @param records in the order written, those below a stable checkpoint included
 * @param end offset after the last whole record
 * @param tornBytes bytes from there to the last one that is not zero: what a killed process had begun to write
 */
public record ReplicaLogContents(List<ReplicaRecord> records, int end, int tornBytes) {
    public ReplicaLogContents {
        records = List.copyOf(records);
    }

    /** Returns whether a file of the log's directory is a segment; of several, the last name is the one in use. */
    public static boolean isSegment(String fileName) {
        return fileName.endsWith(RecordLog.SUFFIX);
    }

    /** Returns whether a file is a segment that was being written when its process ended. */
    public static boolean isUnfinished(String fileName) {
        return fileName.equals(RecordLog.TEMPORARY);
    }

    /**
     * Reads a segment.
     *
     * @param fileName of the segment, which holds its number
     * @param file all its bytes
     * @throws ReplicaLogDamageException if something that was durable does not read back
     */
    public static ReplicaLogContents of(String fileName, ByteBuffer file) {
        long number = Long.parseLong(fileName.substring(0, fileName.length() - RecordLog.SUFFIX.length()));
        RecordScan scan = RecordScan.of(file.order(ByteOrder.LITTLE_ENDIAN), number);
        List<ReplicaRecord> records = new ArrayList<>();
        for (byte[] content : scan.contents()) {
            try {
                records.add(PeerMessageCodec.decodeRecord(content));
            } catch (MalformedMessageException e) {
                throw new ReplicaLogDamageException(
                        "record " + records.size() + " has a right checksum but: " + e.getMessage(), records.size());
            }
        }
        int lastWritten = file.limit();
        while (lastWritten > scan.end() && file.get(lastWritten - 1) == 0) {
            lastWritten--;
        }
        return new ReplicaLogContents(records, scan.end(), lastWritten - scan.end());
    }
}
