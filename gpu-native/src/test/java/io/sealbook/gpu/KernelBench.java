package io.sealbook.gpu;

import static jcuda.driver.JCudaDriver.cuInit;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoD;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Single kernels, called one by one with plain arrays, as a workbench for tests of them. Runs on whatever driver is
 * loaded.
 */
final class KernelBench implements AutoCloseable {
    private static final int BLOCK_SIZE = 64;

    private final CudaSession session;
    private final CUstream stream;
    private byte[] givenDigest;

    KernelBench(KernelImage image) {
        JCudaLibrary.DRIVER.load(() -> JCudaDriver.setExceptionsEnabled(true));
        cuInit(0);
        session = new CudaSession(0, image);
        stream = session.stream();
    }

    /** Verifications from now on take this digest for the first row, whatever its message. */
    void replaceDigest(byte[] digest) {
        givenDigest = digest;
    }

    /** Copies an array of bytes to new device memory. */
    CUdeviceptr upload(byte[] bytes) {
        CUdeviceptr memory = session.allocate(Math.max(1, bytes.length));
        cuMemcpyHtoD(memory, Pointer.to(bytes), bytes.length);
        return memory;
    }

    CUdeviceptr room(long sizeBytes) {
        return session.allocate(sizeBytes);
    }

    byte[] download(CUdeviceptr memory, int length) {
        byte[] bytes = new byte[length];
        cuMemcpyDtoH(Pointer.to(bytes), memory, length);
        return bytes;
    }

    void launch(String kernel, long threadCount, Pointer... arguments) {
        CudaSession.launch(session.function(kernel), threadCount, BLOCK_SIZE, stream, arguments);
        JCudaDriver.cuStreamSynchronize(stream);
    }

    /** Returns the tables of all keys, one after another. */
    CUdeviceptr makeTables(List<byte[]> keyRecords, CombTable table) {
        CUdeviceptr keys = upload(concatenated(keyRecords));
        CUdeviceptr tables = room(table.sizeBytes() * keyRecords.size());
        CUdeviceptr growth = room(table.growthBytes() * keyRecords.size());
        byte[] slots = new byte[4 * keyRecords.size()];
        for (int i = 0; i < keyRecords.size(); i++) {
            slots[4 * i] = (byte) i;
        }
        launch(
                KernelImage.MAKE_TABLES,
                (long) keyRecords.size() * table.threadCount(),
                CudaSession.argument(keys),
                CudaSession.argument(upload(slots)),
                CudaSession.argument(tables),
                CudaSession.argument(growth),
                CudaSession.argument(keyRecords.size()),
                CudaSession.argument(table.windowBits()));
        return tables;
    }

    /** Returns a verdict for each entry, from the kernel for keys with tables or from the one for any keys. */
    byte[] verify(SignatureBatch batch, boolean isKnown, CombTable generatorTable, CombTable keyTable) {
        List<VerificationKey> keys = new ArrayList<>();
        SignatureRows rows = new SignatureRows();
        for (int i = 0; i < batch.size(); i++) {
            if (!keys.contains(batch.key(i))) {
                keys.add(batch.key(i));
            }
            rows.add(batch, i, batch.key(i), keys.indexOf(batch.key(i)));
        }
        if (givenDigest != null) {
            System.arraycopy(givenDigest, 0, rows.bytes(), SignatureScheme.SIGNATURE_LENGTH - 1, givenDigest.length);
        }
        List<byte[]> records = keys.stream().map(SignatureRows::keyRecord).toList();
        CUdeviceptr generator = makeTables(List.of(GeneratorRecord.BYTES), generatorTable);
        CUdeviceptr verdicts = room(batch.size());
        List<Pointer> arguments = new ArrayList<>();
        arguments.add(CudaSession.argument(upload(rows.bytes())));
        arguments.add(CudaSession.argument(upload(concatenated(records))));
        arguments.add(CudaSession.argument(generator));
        if (isKnown) {
            arguments.add(CudaSession.argument(makeTables(records, keyTable)));
        }
        arguments.add(CudaSession.argument(verdicts));
        arguments.add(CudaSession.argument(batch.size()));
        arguments.add(CudaSession.argument(generatorTable.windowBits()));
        if (isKnown) {
            arguments.add(CudaSession.argument(keyTable.windowBits()));
        }
        launch(
                isKnown ? KernelImage.VERIFY_KNOWN_KEYS : KernelImage.VERIFY_ANY_KEYS,
                batch.size(),
                arguments.toArray(Pointer[]::new));
        return download(verdicts, batch.size());
    }

    private static byte[] concatenated(List<byte[]> records) {
        byte[] bytes = new byte[records.size() * SignatureRows.KEY_LENGTH];
        for (int i = 0; i < records.size(); i++) {
            System.arraycopy(records.get(i), 0, bytes, i * SignatureRows.KEY_LENGTH, SignatureRows.KEY_LENGTH);
        }
        return bytes;
    }

    @Override
    public void close() {
        session.close();
    }
}
