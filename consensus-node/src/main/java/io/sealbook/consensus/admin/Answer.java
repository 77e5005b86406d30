package io.sealbook.consensus.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * What a request gets.
 *
 * @param status the HTTP status
 * @param type media type; the character set is UTF-8
 * @param body ends with a line feed
 */
record Answer(HttpResponseStatus status, String type, String body) {
    /**
     * Returns one line of plain text.
     *
     * @param status the HTTP status
     * @param line without its line feed
     */
    static Answer text(HttpResponseStatus status, String line) {
        return new Answer(status, "text/plain", line + "\n");
    }
}
