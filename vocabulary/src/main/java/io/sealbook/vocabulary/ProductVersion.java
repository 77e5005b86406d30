package io.sealbook.vocabulary;

import java.util.Locale;
import java.util.ResourceBundle;

/** The version of this build, as the project's pom has it. Any thread. */
public final class ProductVersion {
    private static final String TEXT = ResourceBundle.getBundle("io.sealbook.vocabulary.product", Locale.ROOT)
            .getString("version");

    private ProductVersion() {}

    /** Returns it, such as 0.2.0. */
    public static String text() {
        return TEXT;
    }
}
