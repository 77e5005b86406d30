package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NativeKeyTablesTest {
    private static final int TABLES = 2;
    /** Keys of a flood, more than are remembered. */
    private static final int FLOOD = 10_000;

    private NativeScheme sm2;
    private ExecutorService builder;
    private NativeKeyTables tables;

    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        sm2 = new Sm2Scheme(Backend.PORTABLE);
        builder = NativeKeyTables.newBuilder();
        tables = new NativeKeyTables(scheme -> sm2, (long) TABLES * NativeVerification.keyTableSize(), builder);
    }

    @AfterEach
    void close() {
        if (tables != null) {
            tables.close();
        }
    }

    @Test
    void shouldMakeTableOnceItPays() throws Exception {
        VerificationKey key = keys(1).get(0);

        use(key, sm2.usesBeforeTable() - 1);
        awaitTables();
        assertThat(tables.tableCount()).isZero();
        use(key, 1);
        awaitTables();

        assertThat(tables.use(key, tables.tick()).table).isNotNull();
        assertThat(tables.tableCount()).isEqualTo(1);
    }

    @Test
    void shouldPutOutTableUnusedForLongest() throws Exception {
        List<VerificationKey> keys = keys(TABLES + 1);
        for (VerificationKey key : keys) {
            use(key, sm2.usesBeforeTable());
            awaitTables();
            tables.use(keys.get(0), tables.tick());
        }

        assertThat(tables.tableCount()).isEqualTo(TABLES);
        assertThat(tables.use(keys.get(0), tables.tick()).table).isNotNull();
        assertThat(tables.use(keys.get(1), tables.tick()).table).isNull();
        assertThat(tables.use(keys.get(2), tables.tick()).table).isNotNull();
    }

    @Test
    void shouldGoWithoutTablesWhenThereIsNoMemory() throws Exception {
        try (NativeKeyTables none =
                new NativeKeyTables(scheme -> sm2, NativeVerification.keyTableSize() - 1, builder)) {
            VerificationKey key = keys(1).get(0);
            for (int i = 0; i < 10 * sm2.usesBeforeTable(); i++) {
                none.use(key, none.tick());
            }
            awaitTables();

            assertThat(none.tablesMax()).isZero();
            assertThat(none.tableCount()).isZero();
        }
    }

    /** No node can tell these keys from members': each of them is used once. */
    @Test
    void shouldKeepTablesWhenUnknownKeysFlood() throws Exception {
        List<VerificationKey> members = keys(TABLES);
        for (VerificationKey key : members) {
            use(key, sm2.usesBeforeTable());
        }
        awaitTables();

        unknownKeys(FLOOD).forEach(key -> use(key, 1));

        assertThat(tables.tableCount()).isEqualTo(TABLES);
        assertThat(members)
                .allSatisfy(
                        key -> assertThat(tables.use(key, tables.tick()).table).isNotNull());
        assertThat(tables.keyCount()).isEqualTo(NativeKeyTables.CANDIDATES_MAX + TABLES);
    }

    /** Each unknown key is used as often as earns a table, and there are more of them at a time than tables. */
    @Test
    void shouldKeepTablesInUseWhenUnknownKeysEarnSome() {
        int room = 4;
        try (NativeKeyTables few = new NativeKeyTables(
                scheme -> sm2, (long) room * NativeVerification.keyTableSize(), new DirectExecutor())) {
            List<VerificationKey> members = keys(2);
            List<VerificationKey> unknown = unknownKeys(60);
            members.forEach(key -> earnTable(few, key));

            for (int first = 0; first < unknown.size(); first += 2 * room) {
                members.forEach(key -> earnTable(few, key));
                unknown.subList(first, Math.min(first + 2 * room, unknown.size()))
                        .forEach(key -> earnTable(few, key));

                assertThat(members)
                        .allSatisfy(key ->
                                assertThat(few.use(key, few.tick()).table).isNotNull());
            }
        }
    }

    @Test
    void shouldReplaceATableThatIsNoLongerUsed() {
        try (NativeKeyTables few = new NativeKeyTables(
                scheme -> sm2, (long) TABLES * NativeVerification.keyTableSize(), new DirectExecutor())) {
            List<VerificationKey> keys = keys(TABLES + 1);
            keys.subList(0, TABLES).forEach(key -> {
                earnTable(few, key);
                earnTable(few, key);
            });
            VerificationKey fresh = keys.get(TABLES);

            earnTable(few, fresh);
            assertThat(few.use(fresh, few.tick()).table)
                    .as("beside keys used as much")
                    .isNull();
            assertThat(few.failureCount()).isEqualTo(1);

            earnTable(few, keys.get(0));
            earnTable(few, fresh);
            assertThat(few.use(fresh, few.tick()).table).isNotNull();
            assertThat(few.use(keys.get(0), few.tick()).table).isNotNull();
            assertThat(few.use(keys.get(1), few.tick()).table)
                    .as("used by nobody")
                    .isNull();
        }
    }

    @Test
    void shouldNotForgetAKeyInUseWhenUnknownKeysFlood() throws Exception {
        VerificationKey member = keys(1).get(0);
        List<VerificationKey> unknown = unknownKeys(FLOOD);
        int each = FLOOD / sm2.usesBeforeTable();

        for (int i = 0; i < FLOOD; i++) {
            use(unknown.get(i), 1);
            if (i % each == 0) {
                use(member, 1);
            }
        }
        awaitTables();

        assertThat(tables.use(member, tables.tick()).table).isNotNull();
    }

    @Test
    @Timeout(300)
    void shouldCloseWhileUnknownKeysFlood() throws Exception {
        List<VerificationKey> unknown = unknownKeys(FLOOD);
        CountDownLatch isUnderWay = new CountDownLatch(2 * TABLES);
        CountDownLatch isClosed = new CountDownLatch(1);
        List<CompletableFuture<Void>> users = new ArrayList<>();
        for (VerificationKey member : keys(2 * TABLES)) {
            users.add(CompletableFuture.runAsync(
                    () -> {
                        use(member, sm2.usesBeforeTable());
                        isUnderWay.countDown();
                        int rounds = 0;
                        while (isClosed.getCount() > 0 || rounds == 0) {
                            unknown.forEach(key -> use(key, 1));
                            use(member, sm2.usesBeforeTable());
                            rounds++;
                        }
                    },
                    task -> new Thread(task).start()));
        }
        isUnderWay.await();

        tables.close();
        isClosed.countDown();
        for (CompletableFuture<Void> user : users) {
            user.get();
        }

        assertThat(builder.awaitTermination(300, TimeUnit.SECONDS)).isTrue();
        assertThat(tables.tableCount()).isZero();
        assertThat(tables.keyCount()).isLessThanOrEqualTo(NativeKeyTables.CANDIDATES_MAX);
    }

    /** All tables are in use, so the builder looks for one to drop at the moment when the verifier closes. */
    @Test
    @Timeout(300)
    void shouldCloseWhileATableIsBuilt() throws Exception {
        List<VerificationKey> keys = keys(TABLES + 1);
        CompletableFuture<Thread> building = new CompletableFuture<>();
        CountDownLatch isClosed = new CountDownLatch(1);
        NativeScheme pausing = new PausingScheme(sm2, TABLES + 1, () -> {
            building.complete(Thread.currentThread());
            await(isClosed);
        });
        NativeKeyTables closing =
                new NativeKeyTables(scheme -> pausing, (long) TABLES * NativeVerification.keyTableSize(), builder);
        for (VerificationKey key : keys) {
            for (int i = 0; i < sm2.usesBeforeTable(); i++) {
                closing.use(key, closing.tick());
            }
        }
        Thread thread = building.get();

        closing.close();
        isClosed.countDown();
        thread.join();

        assertThat(closing.tableCount()).isZero();
    }

    /** Memory that only a garbage collection frees is memory without a limit. */
    @Test
    void shouldKeepItsLimitIfMoreKeysSignThanHaveTables() {
        int room = 4;
        try (NativeKeyTables few = new NativeKeyTables(
                scheme -> sm2, (long) room * NativeVerification.keyTableSize(), new DirectExecutor())) {
            long before = directMemory();

            for (VerificationKey key : keys(200)) {
                for (int i = 0; i < sm2.usesBeforeTable(); i++) {
                    few.use(key, few.tick());
                }
                assertThat(few.use(key, few.tick()).table).isNotNull();
            }

            assertThat(few.tableCount()).isEqualTo(room);
            assertThat(directMemory() - before).isLessThan(2L * room * 512 * 1024);
        }
    }

    @Test
    void shouldNotOverwriteATableThatAVerificationMayRead() {
        try (NativeKeyTables few = new NativeKeyTables(
                scheme -> sm2, (long) TABLES * NativeVerification.keyTableSize(), new DirectExecutor())) {
            List<VerificationKey> keys = keys(21);
            TableMemory.Reading reading = few.newReading();
            earnTable(few, keys.get(0));
            reading.begin(few.tick());
            KnownKey.Table read = few.use(keys.get(0), few.tick()).table;
            ByteBuffer copy = ByteBuffer.allocate(read.memory().capacity());
            copy.put(0, read.memory(), 0, copy.capacity());

            keys.subList(1, 21).forEach(key -> earnTable(few, key));

            assertThat(few.use(keys.get(0), few.tick()).table).isNull();
            assertThat(copy).isEqualTo(read.memory().duplicate());
            assertThat(few.failureCount())
                    .as("dropped tables that may all be read")
                    .isPositive();
            assertThat(few.tableCount()).isEqualTo(TABLES);

            reading.end();
            keys.subList(1, 21).forEach(key -> earnTable(few, key));

            assertThat(copy).as("used again").isNotEqualTo(read.memory().duplicate());
        }
    }

    @Test
    void shouldKnowWhatATableTakes() {
        assertThat(NativeVerification.keyTableSize()).isEqualTo(464 * 1024).isLessThan(512 * 1024);
        assertThat(NativeSecp256k1.keyTableSize()).isEqualTo(NativeVerification.keyTableSize());
    }

    private void earnTable(NativeKeyTables earned, VerificationKey key) {
        for (int i = 0; i < sm2.usesBeforeTable(); i++) {
            earned.use(key, earned.tick());
        }
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow()
                .getMemoryUsed();
    }

    /** Makes a table while the use that earns it waits. */
    private static final class DirectExecutor extends AbstractExecutorService {
        private boolean isShutdown;

        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown;
        }
    }

    /** The builder makes tables one after another, so one more task of its own ends after all of them. */
    private void awaitTables() throws Exception {
        builder.submit(() -> {}).get();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // close() interrupts the builder; the test lets it go on.
            Thread.currentThread().interrupt();
        }
    }

    private void use(VerificationKey key, int count) {
        for (int i = 0; i < count; i++) {
            tables.use(key, tables.tick());
        }
    }

    /** Keys of one point and different owners: they are made quickly. */
    private static List<VerificationKey> unknownKeys(int count) {
        byte[] point = keys(1).get(0).point();
        List<VerificationKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(VerificationKey.ofSm2(
                    point, ByteBuffer.allocate(4).putInt(i).array()));
        }
        return keys;
    }

    private static List<VerificationKey> keys(int count) {
        Random random = new Random(7);
        List<VerificationKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            scalar[0] &= 0x7F;
            keys.add(SigningKey.of(SignatureScheme.SM2_SM3, scalar).verificationKey());
        }
        return keys;
    }
}
