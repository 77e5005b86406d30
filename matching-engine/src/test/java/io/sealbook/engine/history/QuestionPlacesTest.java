package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class QuestionPlacesTest {
    private static final int ASKERS = 8;
    /** Beside an eighth each for auditors, members and callers without a role. */
    private static final int OF_BROKERS = 5;

    private final QuestionPlaces places = new QuestionPlaces(1, ASKERS, TimeUnit.DAYS.toMillis(1));
    private final List<Object> admitted = new ArrayList<>();

    /** Threads of the HTTP server wait with the questions. */
    @Test
    void shouldLeavePlacesToWaitForAuditorsAndMembers() throws Exception {
        assertThat(places.take(broker(1))).isEmpty();
        List<FutureTask<Optional<String>>> brokers = new ArrayList<>();
        for (int id = 2; id <= OF_BROKERS; id++) {
            brokers.add(asking(broker(id)));
        }
        assertThat(places.take(broker(OF_BROKERS + 1)))
                .contains("8 questions to the blocks are open, the most that are served"
                        + " without those reserved for other roles than broker");
        assertThat(places.take(broker(2))).contains("another question of broker 2 is being answered");
        FutureTask<Optional<String>> auditor = asking(new Caller(Role.AUDITOR, 1));
        FutureTask<Optional<String>> member = asking(new Caller(Role.MEMBER, 1));

        places.release(broker(1));

        assertThat(auditor.get()).isEmpty();
        assertThat(member.get()).isEmpty();
        for (FutureTask<Optional<String>> waiting : brokers) {
            assertThat(waiting.get()).isEmpty();
        }
        assertThat(admitted)
                .as("roles by their last turns, then who came first")
                .containsExactly(
                        new Caller(Role.AUDITOR, 1),
                        new Caller(Role.MEMBER, 1),
                        broker(2),
                        broker(3),
                        broker(4),
                        broker(5));
    }

    @Test
    void shouldForgetAQuestionThatHadNoTurnInTime() {
        QuestionPlaces impatient = new QuestionPlaces(1, ASKERS, 1);

        assertThat(impatient.take(broker(1))).isEmpty();
        assertThat(impatient.take(broker(2))).contains("1 questions to the blocks are being answered");
        impatient.release(broker(1));

        assertThat(impatient.take(broker(2))).isEmpty();
    }

    private FutureTask<Optional<String>> asking(Caller asker) throws Exception {
        FutureTask<Optional<String>> question = new FutureTask<>(() -> {
            Optional<String> refusal = places.take(asker);
            if (refusal.isEmpty()) {
                admitted.add(asker);
                places.release(asker);
            }
            return refusal;
        });
        Thread thread = Thread.ofPlatform().start(question);
        Facts.await("it waits for its turn", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return question;
    }

    private static Caller broker(int id) {
        return new Caller(Role.BROKER, id);
    }
}
