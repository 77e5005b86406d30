package io.sealbook.consensus.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.OperatingFailureException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenPartsTest {
    private final OpenParts parts = new OpenParts();
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldCloseEveryPartInReverseOrderWhateverOneOfThemThrows() {
        Error error = new OutOfMemoryError("Java heap space");
        RuntimeException exception = new IllegalStateException("closed already");
        parts.add(() -> closed.add("first"));
        parts.add(() -> {
            throw error;
        });
        parts.add(() -> {
            throw exception;
        });
        parts.add(() -> closed.add("last"));

        assertThatThrownBy(parts::close)
                .isInstanceOf(OperatingFailureException.class)
                .hasSuppressedException(exception)
                .hasSuppressedException(error);

        assertThat(closed).containsExactly("last", "first");
        parts.close();
        assertThat(closed).hasSize(2);
    }
}
