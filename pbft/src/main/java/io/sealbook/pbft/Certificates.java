package io.sealbook.pbft;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import java.util.List;

/** The form of valid certificates. Every signature in them has been verified before. */
final class Certificates {
    private final ReplicaConfig config;
    private final Quorum quorum;

    Certificates(ReplicaConfig config, Quorum quorum) {
        this.config = config;
        this.quorum = quorum;
    }

    boolean isValid(StableCertificate certificate) {
        if (certificate.sequence() <= config.origin().sequence()) {
            return certificate.equals(config.origin());
        }
        // Of any block: a quorum signs none but checkpoints and the last block of an epoch, which this replica may not
        // know yet.
        return certificate.signatures().size() >= quorum.size() && areDistinct(certificate.signatures());
    }

    boolean isValid(PreparedCertificate certificate) {
        PrePrepare prePrepare = certificate.prePrepare();
        int primary = (int) (certificate.view() % config.replicaCount());
        return certificate.view() >= 0
                && prePrepare.sender() == primary
                && prePrepare.proposal().sequence() == certificate.sequence()
                && prePrepare.proposal().view() <= certificate.view()
                && prePrepare.proposal().hasForm(config.blockMaxBatches(), config.hasFairOrder())
                && certificate.prepares().size() >= quorum.size() - 1
                && areDistinct(certificate.prepares())
                && certificate.prepares().stream().noneMatch(prepare -> prepare.replica() == primary);
    }

    boolean isValid(ViewChange viewChange) {
        if (viewChange.newView() <= 0 || !isValid(viewChange.stableCertificate())) {
            return false;
        }
        long low = viewChange.stableCertificate().sequence();
        long previous = low;
        for (PreparedCertificate certificate : viewChange.prepared()) {
            if (certificate.sequence() <= previous
                    || certificate.sequence() > low + config.logWindow()
                    || certificate.view() >= viewChange.newView()
                    || !isValid(certificate)) {
                return false;
            }
            previous = certificate.sequence();
        }
        return true;
    }

    private boolean areDistinct(List<ReplicaSignature> signatures) {
        int previous = -1;
        for (ReplicaSignature signature : signatures) {
            if (signature.replica() <= previous || signature.replica() >= config.replicaCount()) {
                return false;
            }
            previous = signature.replica();
        }
        return true;
    }
}
