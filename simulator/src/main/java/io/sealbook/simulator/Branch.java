package io.sealbook.simulator;

/** What correct replicas may come across, by subject; a run reaches some of them. */
enum Branch {
    SUSPECTS("view change", "suspects its view"),
    LEAVES_BY_SUSPICIONS("view change", "leaves its view because f+1 suspect it"),
    LEAVES_BY_VIEW_CHANGES("view change", "leaves its view because f+1 have left it"),
    LEAVES_SEVERAL("view change", "leaves several views at once"),
    LEAVES_UNBEGUN("view change", "leaves a view that has not begun"),
    RESTARTS_BETWEEN_VIEWS("view change", "restarts between two views"),
    RESTARTS_IN_LATER_VIEW("view change", "restarts in a view that a NEW-VIEW began"),
    SHOWS_NOTHING("view change", "sends a VIEW-CHANGE without certificates"),
    SHOWS_CERTIFICATES("view change", "sends a VIEW-CHANGE with certificates"),
    SHOWS_TWO_VIEWS("view change", "sends a VIEW-CHANGE with certificates of several views"),
    NEW_VIEW_EMPTY("view change", "begins a view that proposes nothing again"),
    NEW_VIEW_PROPOSES("view change", "begins a view that proposes again"),
    NEW_VIEW_OF_STABLES("view change", "begins a view with VIEW-CHANGEs of different checkpoints"),
    NEW_VIEW_OF_SOME("view change", "begins a view with a certificate that not all of its VIEW-CHANGEs show"),
    NEW_VIEW_OF_TWO_VIEWS("view change", "begins a view with certificates of two views for one number"),
    NEW_VIEW_OF_TWO_DIGESTS("view change", "begins a view with certificates of two digests for one number"),
    NEW_VIEW_ENDS_EARLY("view change", "begins a view that ends before a certificate's number"),
    ENTERS("view change", "enters a view as a backup"),
    ENTERS_UNLEFT("view change", "enters a view without having left the one before"),
    ENTERS_TRANSFERRING("view change", "enters a view while it transfers state"),
    DELIVERS_REPROPOSED("view change", "delivers a block that was proposed in an earlier view than it commits in"),
    REFUSES_VIEW_CHANGE_OLD("view change", "refuses a VIEW-CHANGE of a view that has begun"),
    REFUSES_VIEW_CHANGE_TWICE("view change", "refuses a VIEW-CHANGE that it has"),
    REFUSES_NEW_VIEW_OLD("view change", "refuses a NEW-VIEW of a view that has begun"),
    REFUSES_NEW_VIEW_WRONG("view change", "refuses a NEW-VIEW that hides or invents proposals"),
    REFUSES_SUSPICION_OLD("view change", "refuses a SUSPICION of a view that ended"),
    REFUSES_SUSPICION_TWICE("view change", "refuses a SUSPICION that it has"),
    REFUSES_FIXED("view change", "refuses a proposal for a number that the NEW-VIEW fixed, or needs none"),
    REFUSES_CONFLICTING("normal case", "refuses a second proposal or vote for one number"),
    REFUSES_PREDECESSOR("normal case", "refuses a proposal that continues another chain"),
    REFUSES_DUPLICATE_BATCH("normal case", "refuses a proposal that names a batch again"),
    REFUSES_OUT_OF_WINDOW("normal case", "refuses a vote outside of the watermarks"),
    DECIDED_BY_REPORTS("normal case", "reports a block as delivered to one that lacks it"),
    STABLE("checkpoint", "has a stable checkpoint"),
    TRANSFER_STARTED("transfer", "begins a state transfer"),
    TRANSFER_REACHED("transfer", "reaches the target of a transfer"),
    TRANSFER_REFUSED("transfer", "refuses blocks of a peer"),
    TRANSFER_BROKEN("transfer", "drops a chain or certificate that proves nothing"),
    TRANSFERS_BETWEEN_VIEWS("transfer", "transfers state between views"),
    EPOCH_BEGAN("epoch", "begins an epoch after the first"),
    EPOCH_ENDS_PROVEN("epoch", "shows the end of an epoch, or a checkpoint, to one that lags");

    final String subject;
    final String text;

    Branch(String subject, String text) {
        this.subject = subject;
        this.text = text;
    }
}
