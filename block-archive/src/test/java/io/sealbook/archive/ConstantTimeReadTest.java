package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read depends on nothing but the block, its index entry and the fixed part of its segment's head. */
class ConstantTimeReadTest {
    private static final int BLOCKS_PER_SEGMENT = 4;

    @TempDir
    Path directory;

    @Test
    void shouldReadBlockWhenEverythingElseInTheArchiveIsErased() throws IOException {
        List<byte[]> chain = Chains.chain(1, 12);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(BLOCKS_PER_SEGMENT))) {
            chain.forEach(archive::append);
            SegmentEntry entry;
            try (SegmentFiles files = new SegmentFiles(directory, BLOCKS_PER_SEGMENT)) {
                entry = files.entry(6);
            }
            eraseAllBut(SegmentFiles.path(directory, 5), entry, 1);
            Files.delete(SegmentFiles.path(directory, 1));

            assertThat(archive.read(6).orElseThrow()).isEqualTo(chain.get(5));
        }
    }

    private static void eraseAllBut(Path file, SegmentEntry entry, int index) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        byte[] erased = new byte[whole.length];
        int entryOffset = SegmentHead.LENGTH + index * SegmentEntry.LENGTH;
        keep(whole, erased, 0, SegmentHead.LENGTH);
        keep(whole, erased, entryOffset, SegmentEntry.LENGTH);
        keep(whole, erased, (int) entry.offset(), entry.length());
        assertThat(Arrays.equals(whole, erased)).isFalse();
        Files.write(file, erased);
    }

    private static void keep(byte[] whole, byte[] erased, int offset, int length) {
        System.arraycopy(whole, offset, erased, offset, length);
    }
}
