package io.sealbook.pbft;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The proposals to which a set of VIEW-CHANGEs obliges the new primary (TOCS 2002, section 4.4, for chained proposals):
 * start from the highest stable certificate and propose again, for each later sequence number, what was prepared in the
 * highest view. End where nothing was prepared, or where that proposal does not name the one before: what lies beyond
 * is committed nowhere (rule 8 of the protocol), so there are no null proposals.
 *
 * @param stable min-s of the paper
 * @param proposals ascending, without gaps, from {@code stable.sequence() + 1} on; each names the one before
 */
record NewViewObligation(StableCertificate stable, List<Proposal> proposals) {

    static NewViewObligation of(List<ViewChange> viewChanges) {
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
        Digest last = stable.proposalDigest();
        PreparedCertificate next = highest.get(stable.sequence() + 1);
        while (next != null && next.proposal().previous().equals(last)) {
            proposals.add(next.proposal());
            last = next.digest();
            next = highest.get(next.sequence() + 1);
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
