package io.sealbook.consensus.peers;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.protocol.v1.SubmitStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A peer as a source of batches: no one waits for the verdict, which admission has counted. */
record PeerSource(int peer) implements BatchSource {
    private static final Logger log = LoggerFactory.getLogger(PeerSource.class);

    @Override
    public void onVerdict(long correlationId, Verdict verdict) {
        if (verdict.status() == SubmitStatus.REFUSED) {
            log.debug("batch of node {} refused: {} {}", peer, verdict.reason(), verdict.detail());
        }
    }

    @Override
    public void onVerdictsEnd() {
        // Nothing was kept back.
    }
}
