package io.sealbook.consensus.storage;

import io.sealbook.archive.BlockDamagedException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.file.Path;

/** Names what mends a damaged block that a node needs before it can start. */
public final class DamagedArchive {
    private DamagedArchive() {}

    /**
     * Returns the failure for the operator.
     *
     * @param archive directory of the node's archive
     * @param damaged names the block, its file and the place in it
     */
    public static OperatingFailureException failure(Path archive, BlockDamagedException damaged) {
        return new OperatingFailureException(
                damaged.getMessage()
                        + "; the node needs the batches of its newest blocks and does not start without them: check the"
                        + " disk, then run block-archive.jar rebuild-index " + archive
                        + " if an index entry is damaged, or block-archive.jar repair " + archive
                        + " --from COPY --genesis FILE, where COPY is a copy of another node's archive",
                damaged);
    }
}
