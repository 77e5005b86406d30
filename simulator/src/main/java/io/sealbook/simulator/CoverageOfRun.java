package io.sealbook.simulator;

import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.ReplicaState;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which branches and transitions of state the correct replicas of one run came across, seen from outside. */
final class CoverageOfRun implements ProtocolObserver {
    private final Set<Branch> branches = EnumSet.noneOf(Branch.class);
    private final Set<String> transitions = new TreeSet<>();
    /** The view that each replica is in or is going to. */
    private final Map<Integer, Long> views = new HashMap<>();
    /** Replicas between two views. */
    private final Set<Integer> between = new HashSet<>();

    Set<Branch> branches() {
        return branches;
    }

    Set<String> transitions() {
        return transitions;
    }

    @Override
    public void onDurable(int replica, ReplicaRecord record) {
        switch (record) {
            case ReplicaRecord.ViewLeft left -> onLeft(replica, left);
            case ReplicaRecord.ViewEntered entered -> {
                if (!between.remove(replica)) {
                    branches.add(Branch.ENTERS_UNLEFT);
                }
                if (entered.newView().sender() != replica) {
                    branches.add(Branch.ENTERS);
                }
                views.put(replica, entered.newView().view());
            }
            case ReplicaRecord.Stable stable -> {
                if (stable.certificate().sequence() > 0) {
                    branches.add(Branch.STABLE);
                }
            }
            case ReplicaRecord.EpochBegan began -> {
                if (began.epoch() > 0) {
                    branches.add(Branch.EPOCH_BEGAN);
                    views.put(replica, 0L);
                    between.remove(replica);
                }
            }
            default -> {}
        }
    }

    private void onLeft(int replica, ReplicaRecord.ViewLeft left) {
        branches.add(left.suspicions().isEmpty() ? Branch.LEAVES_BY_VIEW_CHANGES : Branch.LEAVES_BY_SUSPICIONS);
        if (left.newView() > views.getOrDefault(replica, 0L) + 1) {
            branches.add(Branch.LEAVES_SEVERAL);
        }
        if (!between.add(replica)) {
            branches.add(Branch.LEAVES_UNBEGUN);
        }
        views.put(replica, left.newView());
    }

    @Override
    public void onStarted(int replica, List<ReplicaRecord> records, long archived) {
        ReplicaRecord last = null;
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.ViewLeft || record instanceof ReplicaRecord.ViewEntered) {
                last = record;
            }
        }
        if (last instanceof ReplicaRecord.ViewLeft) {
            branches.add(Branch.RESTARTS_BETWEEN_VIEWS);
        } else if (last != null) {
            branches.add(Branch.RESTARTS_IN_LATER_VIEW);
        }
    }

    @Override
    public void onSaid(int replica, int epoch, Message message) {
        switch (message) {
            case Suspicion suspicion when suspicion.sender() == replica -> branches.add(Branch.SUSPECTS);
            case ViewChange viewChange when viewChange.sender() == replica -> onSaid(viewChange);
            case NewView newView when newView.sender() == replica -> onSaid(newView);
            case Commit commit when commit.isDecision() -> branches.add(Branch.DECIDED_BY_REPORTS);
            case CheckpointProof ignored -> branches.add(Branch.EPOCH_ENDS_PROVEN);
            default -> {}
        }
    }

    private void onSaid(ViewChange viewChange) {
        List<PreparedCertificate> prepared = viewChange.prepared();
        branches.add(prepared.isEmpty() ? Branch.SHOWS_NOTHING : Branch.SHOWS_CERTIFICATES);
        if (prepared.stream().mapToLong(PreparedCertificate::view).distinct().count() > 1) {
            branches.add(Branch.SHOWS_TWO_VIEWS);
        }
    }

    private void onSaid(NewView newView) {
        branches.add(newView.prePrepares().isEmpty() ? Branch.NEW_VIEW_EMPTY : Branch.NEW_VIEW_PROPOSES);
        List<ViewChange> viewChanges = newView.viewChanges();
        long stables = viewChanges.stream()
                .mapToLong(viewChange -> viewChange.stableCertificate().sequence())
                .distinct()
                .count();
        if (stables > 1) {
            branches.add(Branch.NEW_VIEW_OF_STABLES);
        }
        Map<Long, List<PreparedCertificate>> bySequence = new HashMap<>();
        viewChanges.forEach(viewChange -> viewChange
                .prepared()
                .forEach(certificate -> bySequence
                        .computeIfAbsent(certificate.sequence(), key -> new ArrayList<>())
                        .add(certificate)));
        long fixed = viewChanges.stream()
                        .mapToLong(viewChange -> viewChange.stableCertificate().sequence())
                        .max()
                        .orElse(0)
                + newView.prePrepares().size();
        bySequence.forEach((sequence, certificates) -> {
            if (certificates.size() < viewChanges.size()) {
                branches.add(Branch.NEW_VIEW_OF_SOME);
            }
            if (certificates.stream().map(PreparedCertificate::view).distinct().count() > 1) {
                branches.add(Branch.NEW_VIEW_OF_TWO_VIEWS);
            }
            if (certificates.stream()
                            .map(PreparedCertificate::digest)
                            .distinct()
                            .count()
                    > 1) {
                branches.add(Branch.NEW_VIEW_OF_TWO_DIGESTS);
            }
            if (sequence > fixed) {
                branches.add(Branch.NEW_VIEW_ENDS_EARLY);
            }
        });
    }

    @Override
    public void onDelivered(int replica, int epoch, Proposal proposal) {
        if (proposal.view() < views.getOrDefault(replica, 0L)) {
            branches.add(Branch.DELIVERS_REPROPOSED);
        }
    }

    @Override
    public void onState(int replica, ReplicaState before, ReplicaState after) {
        if (before != after) {
            transitions.add(before + " -> " + after);
        }
        if (after == ReplicaState.TRANSFERRING_IN_VIEW_CHANGE) {
            branches.add(Branch.TRANSFERS_BETWEEN_VIEWS);
        }
        if (before == ReplicaState.TRANSFERRING_IN_VIEW_CHANGE && after == ReplicaState.TRANSFERRING
                || before == ReplicaState.VIEW_CHANGE && after == ReplicaState.TRANSFERRING) {
            branches.add(Branch.ENTERS_TRANSFERRING);
        }
    }

    @Override
    public void onIgnored(int replica, Message message, IgnoreReason reason) {
        switch (reason) {
            case OLD_VIEW -> addIfMatches(message, Branch.REFUSES_VIEW_CHANGE_OLD, Branch.REFUSES_NEW_VIEW_OLD);
            case DUPLICATE -> addIfMatches(message, Branch.REFUSES_VIEW_CHANGE_TWICE, null);
            case WRONG_NEW_VIEW -> branches.add(Branch.REFUSES_NEW_VIEW_WRONG);
            case NOT_NEEDED -> branches.add(Branch.REFUSES_FIXED);
            case CONFLICTING -> branches.add(Branch.REFUSES_CONFLICTING);
            case WRONG_PREDECESSOR -> branches.add(Branch.REFUSES_PREDECESSOR);
            case DUPLICATE_BATCH -> branches.add(Branch.REFUSES_DUPLICATE_BATCH);
            case OUT_OF_WINDOW -> branches.add(Branch.REFUSES_OUT_OF_WINDOW);
            default -> {}
        }
        if (message instanceof Suspicion) {
            branches.add(
                    reason == IgnoreReason.OLD_VIEW ? Branch.REFUSES_SUSPICION_OLD : Branch.REFUSES_SUSPICION_TWICE);
        }
    }

    private void addIfMatches(Message message, Branch ofViewChange, Branch ofNewView) {
        if (message instanceof ViewChange) {
            branches.add(ofViewChange);
        } else if (message instanceof NewView && ofNewView != null) {
            branches.add(ofNewView);
        }
    }

    @Override
    public void onTransfer(int replica, Branch branch) {
        branches.add(branch);
    }
}
