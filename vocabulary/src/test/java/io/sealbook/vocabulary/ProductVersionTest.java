package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProductVersionTest {
    @Test
    void shouldBeTheVersionOfThePom() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(ProductVersion.text()).matches("[0-9]+(\\.[0-9]+){2}(-SNAPSHOT)?");
        assertThat(pom).contains("<version>" + ProductVersion.text() + "</version>");
    }
}
