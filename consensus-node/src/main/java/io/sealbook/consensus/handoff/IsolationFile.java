package io.sealbook.consensus.handoff;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.pbft.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that tells the engine, and the operator, why the node is isolated, as long as it is. The isolation itself is
 * in the replica log: a file that is lost, or cannot be written, costs nothing but the rebuild by itself. Agreement's
 * thread.
 */
public final class IsolationFile {
    private static final Logger log = LoggerFactory.getLogger(IsolationFile.class);

    private final Path file;
    private final LongFunction<Optional<CheckpointCertificate>> certificateBefore;
    private final Runnable onChanged;

    /**
     * @param file written and deleted by this object alone
     * @param certificateBefore returns the newest certificate in the archive of a block before a given one
     * @param onChanged called after each report of an isolation, also after a restart, and after its end; must not wait
     */
    public IsolationFile(
            Path file, LongFunction<Optional<CheckpointCertificate>> certificateBefore, Runnable onChanged) {
        this.file = file;
        this.certificateBefore = certificateBefore;
        this.onChanged = onChanged;
    }

    /** Writes the file, unless it is there already. */
    public void isolated(Output.Isolated facts) {
        IsolationNotice notice = new IsolationNotice(
                facts.sequence(),
                facts.own().chainHash(),
                facts.own().resultDigest(),
                facts.agreed().chainHash(),
                facts.agreed().resultDigest(),
                provenBefore(facts.sequence()));
        try {
            if (!isWritten(notice)) {
                notice.write(file);
            }
            onChanged.run();
        } catch (IOException e) {
            log.error("{} cannot be written, the engine is not rebuilt by itself: {}", file, e.toString());
        }
    }

    private boolean isWritten(IsolationNotice notice) {
        try {
            return IsolationNotice.read(file).filter(notice::isOfSameIsolation).isPresent();
        } catch (HandOffException e) {
            log.warn("{}; it is written again", e.getMessage());
            return false;
        }
    }

    /** Results of certified blocks are compared in order: the one before the first that differs was right. */
    private long provenBefore(long checkpoint) {
        return certificateBefore
                .apply(checkpoint)
                .map(CheckpointCertificate::sequence)
                .orElse(0L);
    }

    /** Deletes the file: the isolation is over, or there is none. */
    public void delete() {
        try {
            Files.deleteIfExists(file);
            onChanged.run();
        } catch (IOException e) {
            log.error("{} cannot be deleted although the node is not isolated: {}", file, e.toString());
        }
    }
}
