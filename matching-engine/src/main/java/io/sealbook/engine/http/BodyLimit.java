package io.sealbook.engine.http;

import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Ends the connection of a request with a body after its answer. Tomcat would read what is left of the body first, on
 * the thread that has answered, and wait for each of its bytes. Any thread.
 */
final class BodyLimit implements Adapter {
    private final Adapter next;

    /** @param next makes the answers */
    BodyLimit(Adapter next) {
        this.next = next;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (hasBody) {
            response.addHeader("Connection", "close");
        }
        next.service(request, response);
        if (hasBody) {
            // What has come is taken: a connection that is closed before would be reset, and the answer lost.
            request.action(ActionCode.AVAILABLE, true);
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return next.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent status) throws Exception {
        return next.asyncDispatch(request, response, status);
    }

    @Override
    public void log(Request request, Response response, long time) {
        next.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        next.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return next.getDomain();
    }
}
