package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Answers that take tens of MB of memory while they are made; who makes them limits how many are at a time. Each is
 * made into a file, so that no memory waits for a client that reads slowly. {@link #UNREAD_MAX} may be made or unread,
 * one of each caller: a place of {@link RequestLimit} is not enough for them, because a caller has several of those.
 * {@link AnswerValve} frees a place when the answer has been written, or its connection has ended. Any thread.
 */
public final class LargeAnswers {
    static final int UNREAD_MAX = 8;

    private static final String PLACE = LargeAnswers.class.getName();
    private static final int BUFFER_LENGTH = 1 << 16;

    private final Path directory;
    private final HolderQuota unread = new HolderQuota(UNREAD_MAX, 1);
    private final AtomicLong lastFile = new AtomicLong();

    /** @param directory of the files, which exists; they end with their requests, and with the process */
    public LargeAnswers(Path directory) {
        this.directory = directory;
    }

    /** An answer that has been made. */
    @FunctionalInterface
    public interface Answer {
        /** Writes the answer; the stream stays open. */
        void write(OutputStream out) throws IOException;
    }

    /** Where one answer is until it is read. */
    public final class Target {
        private final FileChannel file;

        private Target(FileChannel file) {
            this.file = file;
        }

        /**
         * Writes the answer, which is garbage afterwards.
         *
         * @param answer is written at once
         * @throws ResponseStatusException if the file cannot be written
         */
        public void write(Answer answer) {
            try {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_LENGTH);
                answer.write(out);
                out.flush();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }
    }

    /**
     * Makes the answer to a request, and sends it.
     *
     * @param request whose caller was judged
     * @param response gets the length and the bytes; its type is the caller's
     * @param maker makes the answer if there is a place for it, and writes it; what it throws is thrown on
     * @return why there is none, and nothing was sent; empty if all was sent
     * @throws IOException if the client does not read
     * @throws ResponseStatusException if the file cannot be written
     */
    public Optional<String> send(HttpServletRequest request, HttpServletResponse response, Consumer<Target> maker)
            throws IOException {
        Optional<String> refusal = take(request);
        if (refusal.isPresent()) {
            return refusal;
        }
        try (FileChannel file = open()) {
            maker.accept(new Target(file));
            response.setContentLengthLong(file.size());
            Channels.newInputStream(file.position(0)).transferTo(response.getOutputStream());
        }
        return Optional.empty();
    }

    private Optional<String> take(HttpServletRequest request) {
        Object holder = RequestCallers.holderOf(request);
        HolderQuota.Answer answer = unread.take(holder);
        if (answer == HolderQuota.Answer.TAKEN) {
            Runnable place = () -> unread.release(holder);
            request.setAttribute(PLACE, place);
            return Optional.empty();
        }
        return Optional.of(
                answer == HolderQuota.Answer.HOLDER_HAS_ENOUGH
                        ? "another large answer to " + HolderQuota.nameOf(holder) + " has not been read yet"
                        : unread.describe(answer, holder, "large answers that have not been read yet"));
    }

    private FileChannel open() {
        try {
            return FileChannel.open(
                    directory.resolve("answer-" + lastFile.incrementAndGet()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private ResponseStatusException unwritable(IOException cause) {
        return new ResponseStatusException(
                HttpStatus.INTERNAL_SERVER_ERROR, "the answer cannot be written to " + directory, cause);
    }

    /** Frees the place of a request that has been answered, if it has one. */
    static void release(HttpServletRequest request) {
        if (request.getAttribute(PLACE) instanceof Runnable place) {
            place.run();
        }
    }
}
