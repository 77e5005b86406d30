package io.sealbook.client.connection;

import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.SubmitReply;

/** What a {@link GatewayLink} tells, always on the loop thread. */
public interface GatewayEvents {
    /** The node answered a probe: its state and height. Called at every probe. */
    void onStatus(GatewayLink link, NodeStatus status);

    void onReply(GatewayLink link, SubmitReply reply);

    void onReceipts(GatewayLink link, BlockReceipts receipts);

    /** The submit stream takes more. */
    void onWritable(GatewayLink link);

    /** What was sent on the submit stream and not answered may or may not have arrived. */
    void onSubmitLost(GatewayLink link, String why);

    /** Returns the block from which receipts are needed of this node. */
    long receiptsFrom(GatewayLink link);
}
