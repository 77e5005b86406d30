package io.sealbook.tidy;

/**
 * A place that breaks a rule.
 *
 * @param rule the rule's name in {@code ratchet.tsv}
 * @param file path from the checkout's root, with slashes
 * @param line from 1; 0 for the file as a whole
 * @param fact what is wrong there
 */
record Offence(String rule, String file, int line, String fact) {
    @Override
    public String toString() {
        return file + (line == 0 ? "" : ":" + line) + ": " + fact;
    }
}
