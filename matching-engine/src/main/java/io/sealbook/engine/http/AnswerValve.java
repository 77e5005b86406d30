package io.sealbook.engine.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Writes each answer to its end while its request has its places ({@link RequestLimit}, {@link LargeAnswers}): what is
 * left in Tomcat's buffer when the filters are done holds the thread as long as the client does not read it. No request
 * is answered later, on another thread. Any thread.
 */
final class AnswerValve extends ValveBase {
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        try {
            getNext().invoke(request, response);
            response.finishResponse();
        } finally {
            LargeAnswers.release(request);
            RequestLimit.release(request);
        }
    }
}
