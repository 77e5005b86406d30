package io.sealbook.consensus.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sealbook.access.rate.RateRefusal;
import java.util.Optional;

/**
 * What a request gets.
 *
 * @param status the HTTP status
 * @param type media type; the character set is UTF-8
 * @param body ends with a line feed
 * @param retryAfter value of the header of that name; empty for most answers
 */
record Answer(HttpResponseStatus status, String type, String body, Optional<String> retryAfter) {
    /**
     * Makes an answer without a wait.
     *
     * @param status the HTTP status
     * @param type media type; the character set is UTF-8
     * @param body ends with a line feed
     */
    Answer(HttpResponseStatus status, String type, String body) {
        this(status, type, body, Optional.empty());
    }

    /**
     * Returns one line of plain text.
     *
     * @param status the HTTP status
     * @param line without its line feed
     */
    static Answer text(HttpResponseStatus status, String line) {
        return new Answer(status, "text/plain", line + "\n");
    }

    /** Returns the answer to a caller that is faster than it may be. */
    static Answer tooMany(RateRefusal refusal) {
        return new Answer(
                HttpResponseStatus.TOO_MANY_REQUESTS,
                "text/plain",
                refusal.reason() + "\n",
                Optional.of(refusal.retryAfter()));
    }
}
