package io.sealbook.consensus.status;

import io.sealbook.archive.storage.StorageException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members that files of evidence prove faulty. While their directory cannot be read, those of the last answer: the
 * rest of the node's state is answered all the same. Any thread.
 */
public final class ProvenFaulty implements Supplier<List<Integer>> {
    private static final Logger log = LoggerFactory.getLogger(ProvenFaulty.class);

    private final Supplier<List<Integer>> files;
    private List<Integer> last = List.of();
    private boolean isUnread;

    /** @param files reads the directory; throws a {@link StorageException} if it cannot */
    public ProvenFaulty(Supplier<List<Integer>> files) {
        this.files = files;
    }

    /** The lock orders what callers on several threads have read; it is held for one listing of a directory. */
    @Override
    public synchronized List<Integer> get() {
        try {
            last = files.get();
            isUnread = false;
        } catch (StorageException e) {
            if (!isUnread) {
                log.warn("evidence/ cannot be read: {}; status and metrics have what it had before", e.getMessage());
            }
            isUnread = true;
        }
        return last;
    }
}
