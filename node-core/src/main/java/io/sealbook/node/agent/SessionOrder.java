package io.sealbook.node.agent;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.collections.LongHashSet;

/**
 * Hands agreement the batches of each session in the order of their numbers: peers spread them on several connections,
 * so that one may become durable before the one that it follows. It waits here until then.
 *
 * <p>A broker may sign two batches under one number. Agreement holds the version that came first; others wait here,
 * too. When a proposal names one of them, its range is handed over as soon as it is complete: followed back from the
 * last batch, whose id the proposal names, to the batch that the range continues.
 *
 * <p>What waits here is in the {@link io.sealbook.node.payload.PayloadStore} and bounded by it. Of a withdrawn session
 * only what a proposal names waits here: no replica takes up the rest. Agent thread only.
 */
final class SessionOrder {
    /** Beyond it all are forgotten; agreement asks again for what it still needs. */
    private static final int NAMED_MAX = 4_096;

    private final Replica replica;
    private final Consumer<Input> agreement;
    /** Batches that are here and that agreement does not hold in order, by session and number. */
    private final Map<Long, TreeMap<Long, List<Input.BatchAvailable>>> aside = new TreeMap<>();
    /** Ranges that proposals of the present view name and that are not complete, by the id of their last batch. */
    private final Map<Digest, BatchRange> named = new LinkedHashMap<>();
    /** Sessions that no replica waits for. */
    private final LongHashSet withdrawn = new LongHashSet();

    /**
     * @param replica whose sessions it looks at
     * @param agreement takes what the replica is to be fed with
     */
    SessionOrder(Replica replica, Consumer<Input> agreement) {
        this.replica = replica;
        this.agreement = agreement;
    }

    /** A batch is durable. */
    void onAvailable(Input.BatchAvailable batch) {
        SessionEnd end = batch.end();
        if (end.number() == replica.held(end.sessionKey()) + 1) {
            agreement.accept(batch);
        }
        if (!replica.holds(end)) {
            aside.computeIfAbsent(end.sessionKey(), key -> new TreeMap<>())
                    .computeIfAbsent(end.number(), number -> new ArrayList<>(1))
                    .add(batch);
        }
        passWaiting(end.sessionKey());
        passNamed(end.sessionKey());
    }

    /** Hands over the batches after the last one that agreement holds, whichever version agreement takes. */
    private void passWaiting(long sessionKey) {
        TreeMap<Long, List<Input.BatchAvailable>> ofSession = aside.get(sessionKey);
        long before = -1;
        while (ofSession != null && replica.held(sessionKey) != before) {
            before = replica.held(sessionKey);
            List<Input.BatchAvailable> versions = ofSession.getOrDefault(before + 1, List.of());
            for (Input.BatchAvailable batch : List.copyOf(versions)) {
                agreement.accept(batch);
                if (replica.holds(batch.end())) {
                    versions.remove(batch);
                    break;
                }
            }
        }
        if (ofSession != null) {
            ofSession.values().removeIf(List::isEmpty);
            if (ofSession.isEmpty()) {
                aside.remove(sessionKey);
            }
        }
    }

    private void passNamed(long sessionKey) {
        for (BatchRange range : List.copyOf(named.values())) {
            if (range.sessionKey() == sessionKey && isComplete(range)) {
                named.remove(range.last().id());
                agreement.accept(new Input.RangeAvailable(range));
            }
        }
    }

    /**
     * A proposal names a range that agreement lacks.
     *
     * @param range that agreement fetches
     * @return what is to be fetched of it; empty if agreement has it now, or no peer can help
     */
    Optional<BatchRange> onNamed(BatchRange range) {
        if (isComplete(range)) {
            agreement.accept(new Input.RangeAvailable(range));
            return Optional.empty();
        }
        if (named.size() == NAMED_MAX) {
            named.clear();
        }
        named.put(range.last().id(), range);
        return missing(range);
    }

    /** A view begins: agreement fetches again what a proposal still names; the others are gone. */
    void onViewEntered() {
        named.clear();
    }

    private boolean isComplete(BatchRange range) {
        SessionEnd first = firstHere(range);
        if (first == null) {
            return false;
        }
        Input.BatchAvailable batch = find(first);
        return replica.isDelivered(first)
                || replica.holds(first) && replica.holds(new BatchRange(first, range.after(), range.afterId()))
                || batch != null
                        && first.number() == range.after() + 1
                        && batch.previous().equals(range.afterId());
    }

    /** Returns the part of a range up to the last batch that is not here; empty if all are, or no peer can help. */
    Optional<BatchRange> missing(BatchRange range) {
        SessionEnd first = firstHere(range);
        if (first == null) {
            return Optional.of(range);
        }
        Input.BatchAvailable batch = find(first);
        if (batch == null || first.number() == range.after() + 1) {
            return Optional.empty();
        }
        return Optional.of(new BatchRange(before(batch), range.after(), range.afterId()));
    }

    /**
     * Follows a range back as far as its batches are here.
     *
     * @return the last batch of it that agreement holds or has delivered, or else the first that is aside; null if its
     *     last batch is not here
     */
    private SessionEnd firstHere(BatchRange range) {
        SessionEnd first = null;
        SessionEnd next = range.last();
        while (true) {
            if (replica.holds(next) || replica.isDelivered(next)) {
                return next;
            }
            Input.BatchAvailable batch = find(next);
            if (batch == null) {
                return first;
            }
            first = next;
            if (next.number() == range.after() + 1) {
                return first;
            }
            next = before(batch);
        }
    }

    private static SessionEnd before(Input.BatchAvailable batch) {
        return new SessionEnd(batch.end().sessionKey(), batch.end().number() - 1, batch.previous());
    }

    private Input.BatchAvailable find(SessionEnd end) {
        TreeMap<Long, List<Input.BatchAvailable>> ofSession = aside.get(end.sessionKey());
        if (ofSession == null) {
            return null;
        }
        for (Input.BatchAvailable batch : ofSession.getOrDefault(end.number(), List.of())) {
            if (batch.end().equals(end)) {
                return batch;
            }
        }
        return null;
    }

    /**
     * Batches up to this one are in the chain, and agreement knows it.
     *
     * @param end of the batches of one session in a block
     * @return those that are not needed here any more, whether they are in the block or have lost their number to
     *     others
     */
    List<SessionEnd> onDelivered(SessionEnd end) {
        named.values()
                .removeIf(range ->
                        range.sessionKey() == end.sessionKey() && range.last().number() <= end.number());
        TreeMap<Long, List<Input.BatchAvailable>> ofSession = aside.get(end.sessionKey());
        if (ofSession == null) {
            return List.of();
        }
        Map<Long, List<Input.BatchAvailable>> passed = ofSession.headMap(end.number(), true);
        List<SessionEnd> needless = new ArrayList<>();
        takeOut(passed, needless);
        removeFollowersOfOthers(end, ofSession, needless);
        passWaiting(end.sessionKey());
        if (ofSession.isEmpty()) {
            aside.remove(end.sessionKey());
        }
        return needless;
    }

    private static void takeOut(Map<Long, List<Input.BatchAvailable>> part, List<SessionEnd> to) {
        part.values().forEach(versions -> versions.forEach(batch -> to.add(batch.end())));
        part.clear();
    }

    /**
     * No replica waits for a session any more, and agreement knows it.
     *
     * @return those of its batches that are not needed here any more: no proposal names them
     */
    List<SessionEnd> onWithdrawn(long sessionKey) {
        withdrawn.add(sessionKey);
        return aside.containsKey(sessionKey) ? dropUnnamed(List.of(sessionKey)) : List.of();
    }

    /**
     * A block is in the chain, and agreement knows it: a proposal that it has replaced names nothing any more.
     *
     * @return batches of withdrawn sessions that are not needed here any more
     */
    List<SessionEnd> dropUnnamed() {
        List<Long> sessions =
                aside.keySet().stream().filter(withdrawn::contains).toList();
        return sessions.isEmpty() ? List.of() : dropUnnamed(sessions);
    }

    private List<SessionEnd> dropUnnamed(List<Long> sessions) {
        List<SessionEnd> needless = new ArrayList<>();
        replica.namedThrough(sessions).forEach((sessionKey, through) -> {
            TreeMap<Long, List<Input.BatchAvailable>> ofSession = aside.get(sessionKey);
            takeOut(ofSession.tailMap(through, false), needless);
            if (ofSession.isEmpty()) {
                aside.remove(sessionKey);
            }
        });
        return needless;
    }

    /**
     * What follows a batch that has lost its number can follow nothing any more. What follows a batch that is not here
     * is kept: a proposal may name it, and the batches before it may come.
     */
    private void removeFollowersOfOthers(
            SessionEnd delivered, TreeMap<Long, List<Input.BatchAvailable>> ofSession, List<SessionEnd> removed) {
        Predicate<SessionEnd> isLost = before -> !before.equals(delivered);
        for (long number = delivered.number() + 1; ofSession.containsKey(number); number++) {
            Set<SessionEnd> lost = new LinkedHashSet<>();
            List<Input.BatchAvailable> versions = ofSession.get(number);
            for (Input.BatchAvailable batch : List.copyOf(versions)) {
                if (isLost.test(before(batch)) && !replica.holds(before(batch))) {
                    versions.remove(batch);
                    lost.add(batch.end());
                }
            }
            removed.addAll(lost);
            isLost = lost::contains;
            if (versions.isEmpty()) {
                ofSession.remove(number);
            }
        }
    }

    /** Returns how many batches wait for the one before them, or for a proposal. */
    int asideCount() {
        return aside.values().stream()
                .flatMap(numbers -> numbers.values().stream())
                .mapToInt(List::size)
                .sum();
    }
}
