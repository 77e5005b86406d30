package io.sealbook.lock;

import java.io.IOException;
import java.nio.file.Path;

/** A lock file has a holder. */
public final class FileInUseException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean isOfThisProcess;

    FileInUseException(Path file, boolean isOfThisProcess) {
        super((isOfThisProcess ? "this process" : "another process") + " holds " + file);
        this.isOfThisProcess = isOfThisProcess;
    }

    /** Returns whether the holder is in this process. */
    public boolean isOfThisProcess() {
        return isOfThisProcess;
    }
}
