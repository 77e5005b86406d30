package io.sealbook.engine.http;

import io.sealbook.tls.role.Caller;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Who may read what at the HTTP port. It judges the path as it was sent: one that is written in another way than these,
 * with escapes or dots, is none of them, and only callers that read everything may send it.
 */
final class HttpRules {
    /** Market data, the state of engine and nodes, health and metrics, and the pages of the console. */
    private static final Pattern PUBLIC = Pattern.compile("/([a-z]+[.](html|css|js|svg))?"
            + "|/api/(status|blocks|instruments|trades|nodes)"
            + "|/api/depth/[A-Za-z0-9_-]+"
            + "|/ws/market-data"
            + "|/actuator(?!/loggers)(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*"
            + "|/error");

    /** What belongs to the broker in the path. */
    private static final Pattern OF_BROKER = Pattern.compile("/api/orders/([0-9]{1,10})/[0-9]+(?:/history|/trace)?"
            + "|/api/reports/([0-9]{1,10})/[0-9]+/proof|/api/positions/([0-9]{1,10})/proof");

    private static final String OF_OPERATOR = "/actuator/loggers";

    private HttpRules() {}

    /** Returns whether everyone may read a path. */
    static boolean isPublic(String path) {
        return PUBLIC.matcher(path).matches();
    }

    /**
     * Returns whether a request is the operator's alone: it changes something, or shows the loggers. The operator of an
     * engine holds the key of its node.
     *
     * @param method of HTTP
     * @param path as it was sent, without the query
     */
    static boolean isOfOperator(String method, String path) {
        return !(method.equals("GET") || method.equals("HEAD")) || path.startsWith(OF_OPERATOR);
    }

    /**
     * Returns whether a caller may read a path.
     *
     * @param caller whose role is proven
     * @param path as it was sent, without the query
     */
    static boolean mayRead(Caller caller, String path) {
        return isPublic(path)
                || caller.readsEverything()
                || brokerOf(path).map(caller::reads).orElse(false);
    }

    private static Optional<Integer> brokerOf(String path) {
        Matcher ofBroker = OF_BROKER.matcher(path);
        if (!ofBroker.matches()) {
            return Optional.empty();
        }
        long id = Stream.of(1, 2, 3)
                .map(ofBroker::group)
                .filter(Objects::nonNull)
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
        return id == (id & 0xFFFF_FFFFL) ? Optional.of((int) id) : Optional.empty();
    }
}
