package io.sealbook.consensus;

import io.sealbook.consensus.ingress.LaneStages;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.SignatureStage;

/**
 * The stages of a ring of one lane.
 *
 * @param decoding of the lane
 * @param verifier verifies what is collected
 */
public record TestStages(DecodeStage decoding, SignatureVerifier verifier) implements LaneStages {
    @Override
    public SignatureStage collecting(int batchMax) {
        return new SignatureStage(batchMax, verifier);
    }
}
