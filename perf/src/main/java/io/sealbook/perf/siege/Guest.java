package io.sealbook.perf.siege;

/** A caller with a trusted certificate, as the columns of the table of doors name it. */
enum Guest {
    /** Proves no role. */
    NONE("none"),
    /** A broker that asks for what belongs to another one. */
    OTHER_BROKER("other broker"),
    /** The broker to which belongs what it asks for. */
    BROKER("broker"),
    AUDITOR("auditor"),
    MEMBER("member");

    private final String column;

    Guest(String column) {
        this.column = column;
    }

    /** Returns the head of its column. */
    String column() {
        return column;
    }
}
