package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.sealbook.tidy.circle.above.Above;
import io.sealbook.tidy.circle.aside.Aside;
import io.sealbook.tidy.circle.below.Below;
import org.junit.jupiter.api.Test;

class PackageCirclesTest {
    private static final String BASE = "io.sealbook.tidy.circle.";

    @Test
    void shouldNameEachPackageOfACircleWithTheArrows() {
        assertThat(PackageCircles.offences(
                        "tidy", new ClassFileImporter().importClasses(Above.class, Below.class, Aside.class)))
                .extracting(Offence::toString)
                .containsExactly(
                        "tidy: " + BASE + "above -> " + BASE + "below (Above needs Below) -> " + BASE
                                + "above (Below needs Above)",
                        "tidy: " + BASE + "below -> " + BASE + "above (Below needs Above) -> " + BASE
                                + "below (Above needs Below)");
    }

    @Test
    void shouldAllowArrowsOneWay() {
        assertThat(PackageCircles.offences("tidy", new ClassFileImporter().importClasses(Above.class, Aside.class)))
                .isEmpty();
    }
}
