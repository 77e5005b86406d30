package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Places of answers that take tens of MB of memory until the client has read them: {@link #ANSWERS_MAX} at a time, one
 * of each caller. A place of {@link RequestLimit} is not enough for them, because a caller has several of those.
 * {@link AnswerValve} frees a place when the answer has been written, or its connection has ended. Any thread.
 */
@Component
public final class LargeAnswers {
    static final int ANSWERS_MAX = 2;

    private static final String PLACE = LargeAnswers.class.getName();

    private final HolderQuota quota = new HolderQuota(ANSWERS_MAX, 1);

    /**
     * Takes a place for the answer to a request, before the answer is made.
     *
     * @param request whose caller was judged
     * @return why it gets none; empty if it has one
     */
    public Optional<String> take(HttpServletRequest request) {
        Object holder = RequestCallers.holderOf(request);
        HolderQuota.Answer answer = quota.take(holder);
        if (answer == HolderQuota.Answer.HOLDER_HAS_ENOUGH) {
            return Optional.of("another large answer to " + HolderQuota.nameOf(holder) + " has not been read yet");
        }
        if (answer != HolderQuota.Answer.TAKEN) {
            return Optional.of(ANSWERS_MAX + " large answers have not been read yet");
        }
        Runnable place = () -> quota.release(holder);
        request.setAttribute(PLACE, place);
        return Optional.empty();
    }

    /** Frees the place of a request that has been answered, if it has one. */
    static void release(HttpServletRequest request) {
        if (request.getAttribute(PLACE) instanceof Runnable place) {
            place.run();
        }
    }
}
