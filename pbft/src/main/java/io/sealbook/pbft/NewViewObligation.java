package io.sealbook.pbft;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The proposals to which a set of VIEW-CHANGEs obliges the new primary (TOCS 2002, section 4.4): start from the highest
 * stable certificate, propose again for each later sequence number what was prepared in the highest view, and a null
 * proposal where nothing was.
 *
 * @param stable min-s of the paper
 * @param proposals ascending, without gaps, from {@code stable.sequence() + 1} to max-s
 */
record NewViewObligation(StableCertificate stable, List<Proposal> proposals) {

    static NewViewObligation of(long view, List<ViewChange> viewChanges) {
        StableCertificate stable = StableCertificate.GENESIS;
        for (ViewChange viewChange : viewChanges) {
            if (viewChange.stableCertificate().sequence() > stable.sequence()) {
                stable = viewChange.stableCertificate();
            }
        }
        TreeMap<Long, PreparedCertificate> highest = new TreeMap<>();
        for (ViewChange viewChange : viewChanges) {
            for (PreparedCertificate certificate : viewChange.prepared()) {
                if (certificate.sequence() > stable.sequence()) {
                    highest.merge(certificate.sequence(), certificate, NewViewObligation::higher);
                }
            }
        }
        List<Proposal> proposals = new ArrayList<>();
        long last = highest.isEmpty() ? stable.sequence() : highest.lastKey();
        for (long sequence = stable.sequence() + 1; sequence <= last; sequence++) {
            PreparedCertificate certificate = highest.get(sequence);
            proposals.add(certificate != null ? certificate.proposal() : Proposal.nullProposal(view, sequence));
        }
        return new NewViewObligation(stable, List.copyOf(proposals));
    }

    private static PreparedCertificate higher(PreparedCertificate first, PreparedCertificate second) {
        if (first.view() == second.view() && !first.digest().equals(second.digest())) {
            throw new InvariantViolation("sequence " + first.sequence() + " prepared twice in view " + first.view()
                    + ": " + first.digest() + " and " + second.digest());
        }
        return second.view() > first.view() ? second : first;
    }

    /** Returns whether the PRE-PREPAREs are those that follow, made by this primary in this view. */
    boolean isMetBy(List<PrePrepare> prePrepares, long view, int primary) {
        if (prePrepares.size() != proposals.size()) {
            return false;
        }
        for (int i = 0; i < proposals.size(); i++) {
            PrePrepare prePrepare = prePrepares.get(i);
            if (prePrepare.view() != view
                    || prePrepare.sender() != primary
                    || prePrepare.sequence() != proposals.get(i).sequence()
                    || !prePrepare.proposal().equals(proposals.get(i))) {
                return false;
            }
        }
        return true;
    }
}
