package io.sealbook.engine.query;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Checks of request parameters; a violation is answered as a problem document (RFC 9457). */
public final class Requests {
    static final int LIMIT_MAX = 1000;
    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;

    private Requests() {}

    /**
     * Returns an unsigned 32-bit id.
     *
     * @param name of the parameter, for the answer
     * @param text as it was sent
     * @throws ResponseStatusException 400 if it is none
     */
    public static long id(String name, String text) {
        try {
            long id = Long.parseLong(text);
            if (0 <= id && id <= UNSIGNED_INT_MAX) {
                return id;
            }
        } catch (NumberFormatException e) {
            throw badRequest(name + " is no number: " + text);
        }
        throw badRequest(name + " is " + text + ", expected 0.." + UNSIGNED_INT_MAX);
    }

    /**
     * Returns an unsigned 64-bit number.
     *
     * @param name of the parameter, for the answer
     * @param text as it was sent
     * @throws ResponseStatusException 400 if it is none
     */
    public static long unsignedLong(String name, String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw badRequest(name + " is no unsigned 64-bit number: " + text);
        }
    }

    public static int limit(int limit) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw badRequest("limit is " + limit + ", expected 1.." + LIMIT_MAX);
        }
        return limit;
    }

    public static ResponseStatusException badRequest(String fact) {
        return new ResponseStatusException(HttpStatus.BAD_REQUEST, fact);
    }

    static ResponseStatusException conflict(String fact) {
        return new ResponseStatusException(HttpStatus.CONFLICT, fact);
    }

    public static ResponseStatusException notFound(String fact) {
        return new ResponseStatusException(HttpStatus.NOT_FOUND, fact);
    }
}
