package io.sealbook.tidy;

import java.util.List;

/**
 * A file of the checkout.
 *
 * @param path from the checkout's root, with slashes
 * @param lines without their ends
 */
record TextFile(String path, List<String> lines) {
    static TextFile of(String path, String text) {
        return new TextFile(path, text.lines().toList());
    }

    /** Returns the first folder of the path, which is the module; empty for a file of the root. */
    String module() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    boolean endsWith(String... endings) {
        for (String ending : endings) {
            if (path.endsWith(ending)) {
                return true;
            }
        }
        return false;
    }
}
