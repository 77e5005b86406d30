package io.sealbook.node.replicalog;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.SessionEnd;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What matters of the views of an epoch before the one that was entered last. A replica votes in none of them again, so
 * no record of them keeps it from a second vote. Three things are kept:
 *
 * <ul>
 *   <li>of each sequence number the certificate of the highest view, which a VIEW-CHANGE shows
 *   <li>the proposal that it proves
 *   <li>of each sequence number and session the last of the proposals that name the highest number: the replica may
 *       have voted for it, and its vote promises that it holds the batches
 * </ul>
 *
 * <p>Of a NEW-VIEW these are its proposals; its VIEW-CHANGEs, which are most of its bytes, are dropped. So what is kept
 * has a bound, however many views are entered while no checkpoint becomes stable.
 */
final class EarlierViews {
    private record Place(long view, long sequence) {}

    private record Named(long number, Place place) {}

    private final long stableSequence;
    /** The last certificate of each sequence number, of whatever view. */
    private final Map<Long, ReplicaRecord.Prepared> prepared = new HashMap<>();
    /** Proposals of earlier views that are kept. */
    private final Set<Place> places = new HashSet<>();
    /** Views of these proposals. */
    private final Set<Long> views = new HashSet<>();
    /** View entered last, 0 if none was: then there is no earlier one. */
    private final long lastView;

    /**
     * @param records of one epoch
     * @param lastEntered the last {@link ReplicaRecord.ViewEntered} of them, null if there is none
     * @param stableSequence records up to it do not matter
     */
    EarlierViews(List<ReplicaRecord> records, ReplicaRecord lastEntered, long stableSequence) {
        this.stableSequence = stableSequence;
        lastView = lastEntered instanceof ReplicaRecord.ViewEntered entered
                ? entered.newView().view()
                : 0;
        // By sequence number and session.
        Map<Long, Map<Long, Named>> named = new HashMap<>();
        for (ReplicaRecord record : records) {
            switch (record) {
                case ReplicaRecord.Accepted accepted -> note(named, accepted.prePrepare());
                case ReplicaRecord.ViewEntered entered ->
                    entered.newView().prePrepares().forEach(prePrepare -> note(named, prePrepare));
                case ReplicaRecord.Prepared certificate -> {
                    if (certificate.sequence() > stableSequence) {
                        prepared.put(certificate.sequence(), certificate);
                    }
                }
                default -> {
                    // It names no proposal.
                }
            }
        }
        named.values().forEach(ofSequence -> ofSequence.values().forEach(each -> keep(each.place)));
        prepared.values().forEach(certificate -> keep(new Place(certificate.view(), certificate.sequence())));
    }

    private void note(Map<Long, Map<Long, Named>> named, PrePrepare prePrepare) {
        if (prePrepare.view() >= lastView || prePrepare.sequence() <= stableSequence) {
            return;
        }
        Map<Long, Named> ofSequence = named.computeIfAbsent(prePrepare.sequence(), sequence -> new HashMap<>());
        Place place = new Place(prePrepare.view(), prePrepare.sequence());
        for (SessionEnd end : prePrepare.proposal().ends()) {
            Named before = ofSequence.get(end.sessionKey());
            if (before == null || before.number <= end.number()) {
                ofSequence.put(end.sessionKey(), new Named(end.number(), place));
            }
        }
    }

    private void keep(Place place) {
        places.add(place);
        views.add(place.view);
    }

    /** Returns whether an accepted proposal matters. */
    boolean matters(ReplicaRecord.Accepted accepted) {
        return accepted.sequence() > stableSequence
                && (accepted.prePrepare().view() >= lastView || isKept(accepted.prePrepare()));
    }

    /** Returns whether a certificate matters. */
    boolean matters(ReplicaRecord.Prepared certificate) {
        return prepared.get(certificate.sequence()) == certificate;
    }

    /**
     * Returns what matters of an earlier view that was entered: the record with the proposals that are kept, and no
     * VIEW-CHANGE. It has no proposal if only those accepted later in the view matter: it parts them from those of the
     * views before. Empty if nothing matters.
     */
    Optional<ReplicaRecord> rest(ReplicaRecord.ViewEntered entered) {
        NewView newView = entered.newView();
        if (!views.contains(newView.view())) {
            return Optional.empty();
        }
        List<PrePrepare> kept =
                newView.prePrepares().stream().filter(this::isKept).toList();
        return Optional.of(new ReplicaRecord.ViewEntered(
                new NewView(newView.view(), List.of(), kept, newView.sender(), newView.signature())));
    }

    private boolean isKept(PrePrepare prePrepare) {
        return prePrepare.sequence() > stableSequence
                && places.contains(new Place(prePrepare.view(), prePrepare.sequence()));
    }
}
