// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The last good rule on disk, one file per application and island: comments with its origin and checksum, then the text
 * as it was published, so that an operator can read, check and publish it. It is replaced atomically.
 */
final class LastGoodRuleFile {

    private static final Logger log = LoggerFactory.getLogger(LastGoodRuleFile.class);
    /** More than a rule and its comments. */
    private static final int MOST_BYTES = 2 << 20;

    private static final String SOURCE = "\n# source ";
    private static final String CHECKSUM = "\n# sha256 ";
    private static final boolean IS_POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private final Path directory;
    private final Path file;
    private final String owner;
    private final String source;
    private volatile boolean isWarned;

    /**
     * The place for the rules of one source.
     *
     * @param source its identity: a copy of another one is not used
     */
    LastGoodRuleFile(Path directory, String application, String island, String source) {
        this.directory = directory;
        this.file = directory.resolve(fileName(application) + "@" + island + ".yaml");
        this.source = escaped(source, "[ -~&&[^%]]");
        this.owner = "application " + application.replaceAll("[^ -~]", "_") + ", island " + island;
    }

    /** Names that differ stay different, and none leaves the directory. */
    private static String fileName(String application) {
        String name = escaped(application, "[A-Za-z0-9_.-]");
        return name.startsWith(".") ? "%002e" + name.substring(1) : name;
    }

    private static String escaped(String text, String allowed) {
        return text.chars()
                .mapToObj(c -> Character.toString(c).matches(allowed) ? Character.toString(c) : "%%%04x".formatted(c))
                .collect(Collectors.joining());
    }

    Path file() {
        return file;
    }

    /**
     * Keeps a rule; a failure is logged once.
     *
     * @param from where it was published, such as {@code config-center:highway.policy.shop}
     * @return whether it is kept
     */
    boolean save(String text, String version, String from) {
        try {
            Files.createDirectories(directory, permissions("rwx------"));
            Path next = Files.createTempFile(directory, ".", ".tmp", permissions("rw-------"));
            try {
                try (FileChannel out = FileChannel.open(next, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = StandardCharsets.UTF_8.encode(header(text, version, from) + text);
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                    out.force(true);
                }
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
            isWarned = false;
            return true;
        } catch (IOException | RuntimeException e) {
            warn(
                    "cannot be written, so a start without its source uses the one before, or the static configuration",
                    e);
            return false;
        }
    }

    private String header(String text, String version, String from) {
        return "# The last good Highway policy of " + owner + ": version " + version + ", from " + from + ".\n"
                + "# The SDK writes this file, and uses it when a start finds no answer at its source. Do not edit it."
                + SOURCE + source
                + CHECKSUM + PolicyRule.hash(text) + "\n";
    }

    /** The rule, or null if there is none that is complete and of this source. */
    @Nullable
    String load() {
        try {
            String content = new String(LocalFileReader.read(file, MOST_BYTES), StandardCharsets.UTF_8);
            int start = content.indexOf(CHECKSUM);
            int end = start < 0 ? -1 : content.indexOf('\n', start + 1);
            String text = content.substring(end + 1);
            int from = content.indexOf(SOURCE);
            if (from > 0
                    && from < start
                    && !content.substring(from + SOURCE.length(), start).equals(source)) {
                log.warn("highway: the last good policy in " + file + " is not used: it is of another source ("
                        + content.substring(from + SOURCE.length(), start) + "), and this process follows " + source);
                return null;
            }
            if (end > 0
                    && from > 0
                    && content.substring(start + CHECKSUM.length(), end).equals(PolicyRule.hash(text))) {
                return text;
            }
            log.warn("highway: the last good policy in " + file + " is not used: its checksum does not match; it was"
                    + " edited or damaged. Remove the file, or publish the policy");
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            warn("cannot be read", e);
        }
        return null;
    }

    private void warn(String problem, Exception e) {
        if (!isWarned) {
            isWarned = true;
            log.warn("highway: the last good policy in " + file + " " + problem + " (highway.policy.directory): " + e);
        }
    }

    private static FileAttribute<?>[] permissions(String posix) {
        return IS_POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(posix))}
                : new FileAttribute<?>[0];
    }
}
