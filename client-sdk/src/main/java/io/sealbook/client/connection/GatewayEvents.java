package io.sealbook.client.connection;

import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.SubmitReply;

/** Notifications of a {@link GatewayLink}, always on the loop thread. */
public interface GatewayEvents {
    /**
     * The node answered a probe: its state and height. Called at every probe.
     *
     * @param link the link that it came on
     * @param status of the expected node and chain
     */
    void onStatus(GatewayLink link, NodeStatus status);

    /**
     * The node has answered a logon.
     *
     * @param link the link that it came on
     * @param reply the broker's sessions on the expected node of the expected chain
     */
    void onLogon(GatewayLink link, LogonReply reply);

    /**
     * A logon has had no answer, or the node refuses the call.
     *
     * @param link the link that it was asked on
     * @param why the status of the call
     */
    void onLogonFailed(GatewayLink link, String why);

    /**
     * The node has decided about a batch that was sent on this link.
     *
     * @param link the link that it came on
     * @param reply its correlation id is the one of {@link GatewayLink#send}
     */
    void onReply(GatewayLink link, SubmitReply reply);

    /**
     * A block has been delivered by the node; receipts come in the order of blocks.
     *
     * @param link the link that it came on
     * @param receipts of this broker's batches in one block; may be none
     */
    void onReceipts(GatewayLink link, BlockReceipts receipts);

    /** The submit stream takes more. */
    void onWritable(GatewayLink link);

    /**
     * What was sent on the submit stream and not answered may or may not have arrived.
     *
     * @param link the link that lost its stream
     * @param why for the log
     */
    void onSubmitLost(GatewayLink link, String why);

    /** Returns the block from which receipts are needed of this node. */
    long receiptsFrom(GatewayLink link);
}
