package io.sealbook.archive.storage;

import java.util.List;

/**
 * The files of one directory. A change of a file or a name is with the operating system when its method returns; it
 * survives a power failure only after the matching sync. Every method fails with a {@link StorageException}. One thread
 * at a time.
 */
public interface Storage extends AutoCloseable {
    /** Returns the names of all files, in ascending order. */
    List<String> names();

    /** Opens a file that exists, for reading and writing. The caller closes it. */
    StoredFile open(String name);

    /** Creates an empty file for reading and writing, in place of one of that name. The caller closes it. */
    StoredFile create(String name);

    /**
     * Gives a file another name in one step: after a crash it has the one or the other.
     *
     * @param from name of a file that exists
     * @param to its new name, which no file has
     */
    void rename(String from, String to);

    /** Deletes a file; does nothing if there is none. */
    void delete(String name);

    /** Makes created, renamed and deleted names durable. */
    void syncNames();

    /** Lets others use the directory. Files that are still open stay open. */
    @Override
    void close();
}
