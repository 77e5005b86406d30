package io.sealbook.lock;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The reason of a failure in words. The exceptions of file systems name their reason by their class alone: their
 * message is the bare path. Any thread.
 */
public final class FailureReason {
    private FailureReason() {}

    /** Returns the message of a failure, with the reason in words if the message is a path. */
    public static String of(Throwable failure) {
        if (failure instanceof FileSystemException file && file.getFile() != null && file.getReason() == null) {
            return ofFile(file);
        }
        if (failure instanceof UncheckedIOException
                && failure.getCause().toString().equals(failure.getMessage())) {
            return of(failure.getCause());
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private static String ofFile(FileSystemException failure) {
        String path = failure.getMessage();
        if (failure instanceof NoSuchFileException) {
            return "there is no file " + path;
        }
        if (failure instanceof AccessDeniedException) {
            return user() + " has no access to " + path;
        }
        if (failure instanceof FileAlreadyExistsException) {
            return path + " exists";
        }
        if (failure instanceof NotDirectoryException) {
            return path + " is no directory";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return path + " is not empty";
        }
        return failure.getClass().getSimpleName() + ": " + path;
    }

    /** The virtual machine calls a user ? whom the machine does not list, as in containers. */
    private static String user() {
        String name = System.getProperty("user.name", "?");
        return name.equals("?") ? "this user" : "user " + name;
    }
}
