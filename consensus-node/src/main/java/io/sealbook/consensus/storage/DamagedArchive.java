package io.sealbook.consensus.storage;

import io.sealbook.archive.ArchiveRecovery;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names what opening an archive has repaired, and the command that mends what it could not repair. */
public final class DamagedArchive {
    private static final Logger log = LoggerFactory.getLogger(DamagedArchive.class);

    /** What a node does with damaged blocks. */
    public static final String FETCHED = "they are fetched from peers";

    private DamagedArchive() {}

    /** Returns what the operator of a follower can do. */
    public static String repairedByCommand(Path directory) {
        return "stop this process, run block-archive.jar repair " + directory
                + " --from COPY --genesis FILE, where COPY is a copy of another node's archive";
    }

    /**
     * Returns the failure of a node for the operator.
     *
     * @param archive directory of the node's archive
     * @param damaged names the block, its file and the place in it
     */
    public static OperatingFailureException ofNode(Path archive, BlockDamagedException damaged) {
        return failure(
                "the node needs the batches of its newest blocks and does not start without them",
                archive,
                damaged,
                "");
    }

    /**
     * Returns the failure of a follower for the operator.
     *
     * @param archive directory of the follower's archive
     * @param damaged names the block, its file and the place in it
     */
    public static OperatingFailureException ofFollower(Path archive, BlockDamagedException damaged) {
        return failure(
                "the follower cannot serve or hand over this block",
                archive,
                damaged,
                ", or delete archive, queue and engine and follow again");
    }

    private static OperatingFailureException failure(
            String consequence, Path archive, BlockDamagedException damaged, String otherWay) {
        return new OperatingFailureException(
                damaged.getMessage() + "; " + consequence
                        + ": check the disk, then run block-archive.jar rebuild-index "
                        + archive + " if an index entry is damaged, or block-archive.jar repair " + archive
                        + " --from COPY --genesis FILE, where COPY is a copy of another node's archive"
                        + otherWay,
                damaged);
    }

    /**
     * Logs what opening the archive repaired: whether a crash, or the disk, cost anything.
     *
     * @param archive just opened
     * @param remedy what becomes of damaged blocks, or what the operator can do
     */
    public static void logRecovery(BlockArchive archive, String remedy) {
        ArchiveRecovery recovery = archive.recovery();
        log.info(
                "archive: blocks {} to {}, {} scanned in segments that were not closed",
                archive.firstSequence(),
                archive.lastSequence(),
                recovery.blocksScanned());
        if (recovery.tornBytes() > 0) {
            log.warn(
                    "archive: cut off {} bytes that a crash left after block {}; peers have every delivered block",
                    recovery.tornBytes(),
                    archive.lastSequence());
        }
        if (!recovery.damagedBlocks().isEmpty()) {
            log.error(
                    "archive: blocks {} are damaged and not served; check the disk; {}",
                    recovery.damagedBlocks(),
                    remedy);
        }
    }
}
