package io.sealbook.handoff;

import io.sealbook.archive.BlockLocation;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.util.Optional;
import java.util.zip.CRC32C;
import net.openhft.chronicle.core.time.TimeProvider;

/** From node to engine: every second block itself, of the others the place. */
class BlocksHandOffTest extends HandOffContract<HandedBlock> {
    @Override
    HandOffWriter<HandedBlock> writer(TimeProvider clock) {
        return HandOffWriter.ofBlocks(directory, Durability.DISK, clock);
    }

    @Override
    HandOffReader<HandedBlock> reader() {
        return HandOffReader.ofBlocks(directory);
    }

    @Override
    HandedBlock value(long block) {
        Digest hash = Digest.sha256(new byte[] {(byte) block});
        BlockLocation place = new BlockLocation(block, hash, 1, 1_000 * block, 500, (int) block);
        if (block % 2 == 0) {
            return HandedBlock.place(place);
        }
        byte[] bytes = new byte[200_000];
        bytes[17] = (byte) block;
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return new HandedBlock(
                new BlockLocation(block, hash, 1, 1_000 * block, bytes.length, (int) crc.getValue()),
                Optional.of(bytes));
    }

    @Override
    byte[] encode(HandedBlock value) {
        return value.encode();
    }
}
