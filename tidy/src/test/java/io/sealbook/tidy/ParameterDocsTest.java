package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParameterDocsTest {
    @Test
    void shouldNoticeEachMissingParameter() {
        assertThat(facts("""
                        public class A {
                            /**
                             * Adds.
                             *
                             * @param a in lots
                             */
                            public long add(long a, long b) {
                                return a + b;
                            }

                            public void put(int c, int d) {}
                        }
                        """)).containsExactly("a/A.java:7: add lacks @param b", "a/A.java:11: put lacks @param c, d");
    }

    @Test
    void shouldBeContentWithAllParameters() {
        assertThat(facts("""
                        public class A {
                            /**
                             * Adds.
                             *
                             * @param <T> a type
                             * @param a in lots
                             * @param b in lots
                             */
                            public <T> long add(T a, long b) {
                                return b;
                            }
                        }
                        """)).isEmpty();
    }

    @Test
    void shouldJudgeMethodsOfPublicInterfaces() {
        assertThat(facts("public interface A { void put(int a, int b); }"))
                .containsExactly("a/A.java:1: put lacks @param a, b");
    }

    @Test
    void shouldLeaveOutWhatNobodyElseCalls() {
        assertThat(facts("""
                        class Hidden {
                            public void put(int a, int b) {}

                            public static class Nested {
                                public void put(int a, int b) {}
                            }
                        }
                        """)).isEmpty();
        assertThat(facts("""
                        public class A {
                            public A(int a, int b) {}

                            void put(int a, int b) {}

                            public void one(int a) {}

                            @Override
                            public void put(long a, long b) {}
                        }
                        """)).isEmpty();
    }

    private static List<String> facts(String source) {
        return ParameterDocs.offences(List.of(TextFile.of("a/A.java", source))).stream()
                .map(Offence::toString)
                .toList();
    }
}
