package io.sealbook.simulator;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.simulator.disk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Where a certificate is in an archive's file of certificates; that file's class says how it is laid out.
 *
 * @param sequence block that is certified
 * @param offset of the record
 * @param length of the record
 */
record CertificateRecord(long sequence, int offset, int length) {
    private static final int FILE_HEAD_LENGTH = 48;
    private static final int RECORD_HEAD_LENGTH = 8;

    static Path file(SimulatedDisk disk) {
        return disk.directory("archive").resolve("certificates.log");
    }

    /** Returns the records of a node's file up to the first one that is damaged. */
    static List<CertificateRecord> of(SimulatedDisk disk) {
        byte[] bytes = bytes(disk);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<CertificateRecord> records = new ArrayList<>();
        for (int at = FILE_HEAD_LENGTH; at + RECORD_HEAD_LENGTH < bytes.length; ) {
            int begin = at + RECORD_HEAD_LENGTH;
            int payloadLength = buffer.getInt(at);
            if (payloadLength < 1
                    || payloadLength > bytes.length - begin
                    || crc(bytes, at, payloadLength) != buffer.getInt(at + Integer.BYTES)) {
                return records;
            }
            byte[] payload = Arrays.copyOfRange(bytes, begin, begin + payloadLength);
            long sequence = CheckpointCertificate.decode(payload).sequence();
            records.add(new CertificateRecord(sequence, at, RECORD_HEAD_LENGTH + payloadLength));
            at = begin + payloadLength;
        }
        return records;
    }

    /** Of length and certificate. */
    private static int crc(byte[] bytes, int at, int payloadLength) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, at, Integer.BYTES);
        crc.update(bytes, at + RECORD_HEAD_LENGTH, payloadLength);
        return (int) crc.getValue();
    }

    private static byte[] bytes(SimulatedDisk disk) {
        try {
            return Files.readAllBytes(file(disk));
        } catch (NoSuchFileException e) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
