package io.sealbook.books;

import java.nio.file.Path;

/**
 * What queries may use, so that they leave the machine to the node.
 *
 * @param threads of DuckDB, at least 1; the files are read by one
 * @param memoryMb memory of DuckDB in MB; what does not fit goes to {@code temporary}
 * @param temporary folder in which each run makes one for what does not fit, and removes it at its end
 */
public record BooksLimits(int threads, int memoryMb, Path temporary) {
    /** @throws IllegalArgumentException if a limit is below 1 */
    public BooksLimits {
        if (threads < 1 || memoryMb < 1) {
            throw new IllegalArgumentException(
                    "threads is " + threads + " and memory " + memoryMb + " MB, both must be at least 1");
        }
    }
}
