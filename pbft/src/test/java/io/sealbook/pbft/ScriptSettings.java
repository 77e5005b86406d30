package io.sealbook.pbft;

/** The configuration of a script's replica: small windows, so that a script reaches their ends in a few lines. */
final class ScriptSettings {
    private static final long MS = TestCluster.MS;

    private int block = 3;
    private int pipeline = 8;
    private int checkpoint = 4;
    private int log = 16;
    private long waitMs = 500;
    private long timeoutMs = 2_000;
    private long capMs = 8_000;
    private long driftMs = 5_000;
    private long graceMs = 100;
    private long statusMs = 200;
    private long fetchMs = 30;

    /** Takes up one setting, as in {@code block=3}. */
    void set(ScriptLine line, String setting) {
        String[] parts = setting.split("=", 2);
        if (parts.length != 2 || !parts[1].matches("\\d+")) {
            throw line.fault("has '" + setting + "' instead of <setting>=<number>");
        }
        int value = Integer.parseInt(parts[1]);
        switch (parts[0]) {
            case "block" -> block = value;
            case "pipeline" -> pipeline = value;
            case "checkpoint" -> checkpoint = value;
            case "log" -> log = value;
            case "wait" -> waitMs = value;
            case "timeout" -> timeoutMs = value;
            case "cap" -> capMs = value;
            case "drift" -> driftMs = value;
            case "grace" -> graceMs = value;
            case "status" -> statusMs = value;
            case "fetch" -> fetchMs = value;
            default -> throw line.fault("has '" + parts[0] + "', which is no setting");
        }
    }

    ReplicaConfig config(int self, int replicaCount) {
        return ReplicaConfig.builder(self, replicaCount, TestCluster.CHAIN_ID)
                .block(block, waitMs * MS)
                .windows(pipeline, checkpoint, log)
                .timeouts(timeoutMs * MS, capMs * MS)
                .blockTimeDriftMaxNs(driftMs * MS)
                .linkGraceNs(graceMs * MS)
                .statusIntervalNs(statusMs * MS)
                .fetchDelayNs(fetchMs * MS)
                .build();
    }
}
