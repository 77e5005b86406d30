package io.sealbook.archive;

import java.util.List;

/**
 * What opening an archive had to mend.
 *
 * @param blocksScanned blocks read to rebuild the index of segments that had not been closed
 * @param tornBytes bytes cut off after the last whole block, deleted files included
 * @param damagedBlocks sequences of blocks found damaged on the way; they are not served
 */
public record ArchiveRecovery(long blocksScanned, long tornBytes, List<Long> damagedBlocks) {}
