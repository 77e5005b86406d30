package io.sealbook.client.submission;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What keeps a client from beginning, for its log and for the message of a failed {@code connect}: what nodes answered,
 * which refuse the call, which are silent. Loop thread only, except {@link #text}.
 */
final class LogonObstacle {
    private static final System.Logger log = System.getLogger(LogonObstacle.class.getName());

    private final Logon logon;
    private final Set<Integer> answered = new HashSet<>();
    private final Map<Integer, String> failures = new TreeMap<>();
    private boolean isLogged;
    private volatile Optional<String> text = Optional.empty();

    LogonObstacle(Logon logon) {
        this.logon = logon;
    }

    /** Returns what keeps the client from beginning; empty if nothing does, or no node has answered. Any thread. */
    Optional<String> text() {
        return text;
    }

    /**
     * A node has answered, and the logon has the answer.
     *
     * @param nodeId that answered
     * @param nodeIds of all nodes
     */
    void onReply(int nodeId, Collection<Integer> nodeIds) {
        boolean isRepeated = isKnown(nodeId);
        answered.add(nodeId);
        failures.remove(nodeId);
        update(isRepeated, nodeIds);
    }

    /**
     * The call at a node has failed. An earlier answer of the node counts all the same.
     *
     * @param nodeId that was asked
     * @param why the status of the call
     * @param nodeIds of all nodes
     */
    void onFailure(int nodeId, String why, Collection<Integer> nodeIds) {
        boolean isRepeated = isKnown(nodeId);
        failures.put(nodeId, why);
        update(isRepeated, nodeIds);
    }

    private boolean isKnown(int nodeId) {
        return answered.contains(nodeId) || failures.containsKey(nodeId);
    }

    /** Forgets what a node said. */
    void forget(int nodeId) {
        answered.remove(nodeId);
        failures.remove(nodeId);
    }

    /** Writes to the log once, when a node is asked again: the first answers are never enough. */
    private void update(boolean isRepeated, Collection<Integer> nodeIds) {
        text = logon.isDone() ? Optional.empty() : Optional.of(describe(nodeIds));
        if (isRepeated && !isLogged && text.isPresent()) {
            isLogged = true;
            log.log(Level.WARNING, "not connected yet, the nodes are asked again: {0}", text.get());
        }
    }

    private String describe(Collection<Integer> nodeIds) {
        List<String> silent = nodeIds.stream()
                .filter(nodeId -> !isKnown(nodeId))
                .sorted()
                .map(String::valueOf)
                .toList();
        return logon.obstacle().orElse("no node answered")
                + failures.entrySet().stream()
                        .map(each -> "; logon at node " + each.getKey() + ": " + each.getValue())
                        .collect(Collectors.joining())
                + (silent.isEmpty() ? "" : "; no answer of node " + String.join(", ", silent));
    }
}
