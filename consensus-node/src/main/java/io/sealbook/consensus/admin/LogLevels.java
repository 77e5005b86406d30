package io.sealbook.consensus.admin;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * The log levels of this process while it runs; a restart forgets changes. A name must be that of a logger that exists,
 * so that requests make no new ones: a class that has logged or can, or a package of one. Any thread.
 */
final class LogLevels {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogLevels.class);
    private static final String PATH = "/loggers";
    private static final String INHERITED = "default";

    private LogLevels() {}

    /** Returns whether a request is about log levels. */
    static boolean serves(HttpMethod method, String path) {
        return method.equals(HttpMethod.GET) && path.equals(PATH)
                || method.equals(HttpMethod.PUT) && path.startsWith(PATH + "/");
    }

    /**
     * Answers a request that is served.
     *
     * @param method GET shows, PUT sets
     * @param path without the query
     * @param body the level to set
     */
    static Answer answer(HttpMethod method, String path, String body) {
        return method.equals(HttpMethod.GET)
                ? Answer.text(HttpResponseStatus.OK, text())
                : set(path.substring(PATH.length() + 1), body.strip());
    }

    private static String text() {
        return context().getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null)
                .map(LogLevels::line)
                .collect(Collectors.joining("\n"));
    }

    private static String line(Logger logger) {
        return logger.getName() + " " + logger.getEffectiveLevel().toString().toLowerCase(Locale.ROOT);
    }

    private static Answer set(String name, String level) {
        Logger logger = context().exists(name);
        if (logger == null) {
            return Answer.text(HttpResponseStatus.NOT_FOUND, "no logger is called so");
        }
        boolean isInherited = level.equals(INHERITED);
        Level chosen = Level.toLevel(level, null);
        if (chosen == null && !isInherited || isInherited && name.equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
            return Answer.text(
                    HttpResponseStatus.BAD_REQUEST,
                    "expected off, error, warn, info, debug, trace or, below " + org.slf4j.Logger.ROOT_LOGGER_NAME
                            + ", " + INHERITED);
        }
        logger.setLevel(isInherited ? null : chosen);
        LOG.warn("admin: log level set by request: {}", line(logger));
        return Answer.text(HttpResponseStatus.OK, line(logger));
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
