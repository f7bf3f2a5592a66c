// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import io.highway.sdk.dubbo.internal.files.SlowReadWatch;
import io.highway.sdk.dubbo.internal.policy.SecretSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of one key: the configured text, or the lines of a file, which may change. A changed file takes effect
 * once two reads in a row agree, since it may be written meanwhile; while it is unusable, the last good secrets stay.
 * Thread-safe.
 */
final class KeySecrets {

    private static final Logger log = LoggerFactory.getLogger(KeySecrets.class);

    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_SECRETS = 16;

    /** As many as HMAC-SHA256 returns; see RFC 2104, section 3. */
    private static final int GOOD_BYTES = 32;

    private final SecretSource configured;
    private volatile List<KeyedMac> active;

    /** The file's content that is active, and that of the last read. */
    private byte[] content = {};

    private byte[] lastRead = {};

    private final SlowReadWatch reading = new SlowReadWatch(LocalFileReader.LIMIT_MILLIS);

    /** The problem that was logged, or null. */
    private volatile @Nullable String logged;

    /**
     * Reads the secrets.
     *
     * @throws HighwayConfigurationException if their file cannot be used
     */
    KeySecrets(SecretSource configured) {
        this.configured = configured;
        Path file = configured.file();
        if (file == null) {
            active = macs(configured, List.of(configured.text()));
            return;
        }
        try {
            content = read(file);
            active = macs(configured, parse(file, content));
            lastRead = content;
        } catch (IOException e) {
            throw new HighwayConfigurationException(
                    configured.key(),
                    String.valueOf(e.getMessage()),
                    "Write the path of a file with one secret per line; a sender signs with the first, a receiver"
                            + " accepts each");
        }
    }

    /** The secret to sign with. */
    KeyedMac first() {
        return active.get(0);
    }

    /** The secrets to accept. */
    List<KeyedMac> all() {
        return active;
    }

    /** Whether the file cannot be used at present, so that a restart would fail. Does not wait for a read. */
    boolean isUnusable() {
        return logged != null;
    }

    /** Whether a read of the file takes longer than it may. */
    boolean isSlow() {
        return reading.isSlow();
    }

    /** The full key. */
    String key() {
        return configured.key();
    }

    boolean isFile() {
        return configured.file() != null;
    }

    /** Reads the file again. Used by one thread. */
    synchronized void refresh() {
        Path file = configured.file();
        if (file == null) {
            return;
        }
        reading.begin();
        try {
            byte[] read = read(file);
            boolean isSettled = Arrays.equals(read, lastRead);
            lastRead = read;
            if (isSettled && !Arrays.equals(read, content)) {
                List<String> secrets = parse(file, read);
                active = macs(configured, secrets);
                content = read;
                log.info("highway: " + configured.key() + ": " + file + " has changed, " + secrets.size()
                        + (secrets.size() == 1 ? " secret is" : " secrets are") + " active");
            }
            if (isSettled) {
                logged = null;
            }
        } catch (IOException e) {
            String problem = String.valueOf(e.getMessage());
            if (!problem.equals(logged)) {
                logged = problem;
                log.warn("highway: " + configured.key() + ": " + problem
                        + "; the secrets of the last good read stay active");
            }
        } finally {
            reading.end();
        }
    }

    /** The last refresh has failed in another way than by its file. */
    void failed(Throwable problem) {
        logged = problem.getClass().getName();
        log.warn("highway: reading the " + this + " failed: " + logged);
    }

    /** What it throws contains nothing of the content. */
    private static byte[] read(Path file) throws IOException {
        try {
            return LocalFileReader.read(file, MOST_BYTES);
        } catch (IOException e) {
            throw new IOException("the file " + file + " cannot be read: "
                    + (e instanceof FileSystemException ? e.getClass().getSimpleName() : e.getMessage()));
        }
    }

    /** What it throws contains nothing of the content. */
    private static List<String> parse(Path file, byte[] content) throws IOException {
        List<String> secrets;
        try {
            secrets = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString()
                    .replaceFirst("^\uFEFF", "") // the byte order mark of some editors
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (CharacterCodingException e) {
            throw new IOException("the file " + file + " is not text in UTF-8");
        }
        if (secrets.isEmpty()) {
            throw new IOException("the file " + file + " has no secret");
        }
        if (secrets.size() > MOST_SECRETS) {
            throw new IOException(
                    "the file " + file + " has " + secrets.size() + " lines; allowed are " + MOST_SECRETS);
        }
        return secrets;
    }

    private static List<KeyedMac> macs(SecretSource configured, List<String> secrets) {
        if (secrets.stream().anyMatch(secret -> secret.getBytes(StandardCharsets.UTF_8).length < GOOD_BYTES)) {
            log.warn("highway: " + configured.key() + ": a secret of fewer than " + GOOD_BYTES
                    + " bytes can be guessed by"
                    + " someone who has seen a signed call; write what openssl rand -base64 32 prints (or are the"
                    + " secret and sign.key-id exchanged?)");
        }
        return secrets.stream().map(KeyedMac::new).toList();
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return configured.toString();
    }
}
