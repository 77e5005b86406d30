package io.sealbook.node.port;

import java.util.function.Supplier;

/** Where work is done that would hold up the committer. */
@FunctionalInterface
public interface Background {
    /** Has work done later, on another thread, and its outcome carried out by the committer. Does not wait. */
    void run(Supplier<CommitTask> work);
}
