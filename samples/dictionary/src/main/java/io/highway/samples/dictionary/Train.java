// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains a dictionary with recorded messages, measures it with others, and prints what to configure. */
@Command(
        name = "train.sh",
        mixinStandardHelpOptions = true,
        description = "Trains a zstd dictionary with recorded messages, and measures it with others.")
public final class Train implements Callable<Integer> {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,4})KB");
    private static final int MOST_KILOBYTES = 1024;

    /** Less to learn from than so many times the dictionary makes a bad one. */
    private static final int TRAINED_PER_SIZE = 10;

    private static final double SMALLEST_GAIN = 1.05;

    @Option(names = "--messages", required = true, description = "a directory with one message in each file")
    private @Nullable Path messages;

    @Option(names = "--output", required = true, description = "the file for the dictionary, which must not exist")
    private @Nullable Path output;

    @Option(names = "--size", defaultValue = "16KB", description = "of the dictionary, 1KB to 1024KB; 16KB by default")
    private String size = "";

    @Parameters(index = "0", arity = "0..1", hidden = true)
    @SuppressWarnings("unused") // every sample is told where its logs are
    private @Nullable Path folder;

    @Spec
    private @Nullable CommandSpec spec;

    /** Exits with 0 only if the dictionary was written. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Train()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        try {
            train(Objects.requireNonNull(messages), Objects.requireNonNull(output), commandLine.getOut());
            return 0;
        } catch (IllegalArgumentException e) {
            commandLine.getErr().println(e.getMessage());
            return 2;
        }
    }

    private void train(Path directory, Path file, PrintWriter out) throws IOException {
        int bytes = bytes();
        if (Files.exists(file)) {
            throw new IllegalArgumentException(
                    "--output: '" + file + "' exists; write a new file: the encoding is named by"
                            + " the content, and both sides must have the same");
        }
        Messages messages = Messages.read(directory);
        long trained = Messages.bytes(messages.trained());
        if (trained < (long) TRAINED_PER_SIZE * bytes) {
            throw new IllegalArgumentException(
                    "--messages: the messages for the training have " + trained + " bytes, and a"
                            + " dictionary of " + size + " needs " + TRAINED_PER_SIZE
                            + " times its size; record more, or write a"
                            + " smaller --size");
        }
        Dictionary dictionary = Dictionary.train(messages.trained(), bytes);
        write(file, dictionary);
        print(messages, file.toAbsolutePath().normalize(), dictionary, out);
    }

    private int bytes() {
        Matcher matcher = SIZE.matcher(size);
        int kilobytes = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        if (kilobytes < 1 || kilobytes > MOST_KILOBYTES) {
            throw new IllegalArgumentException(
                    "--size: '" + size + "' given; allowed: 1KB to " + MOST_KILOBYTES + "KB, such as 16KB");
        }
        return kilobytes << 10;
    }

    /** For this user only, as the messages. */
    private static void write(Path file, Dictionary dictionary) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, dictionary.bytes(), StandardOpenOption.WRITE);
    }

    private static void print(Messages messages, Path file, Dictionary dictionary, PrintWriter out) {
        int different = messages.trained().size() + messages.heldOut().size();
        print(out, "messages    %d, of which %d are different", messages.read(), different);
        print(out, "training    %d messages, %d bytes", messages.trained().size(), Messages.bytes(messages.trained()));
        print(out, "held out    %d messages, %d bytes", messages.heldOut().size(), Messages.bytes(messages.heldOut()));
        print(out, "dictionary  %d bytes: %s", dictionary.bytes().length, file);
        double without = Dictionary.ratioWithout(messages.heldOut());
        double with = dictionary.ratio(messages.heldOut());
        print(out, "ratio       %.2f by zstd alone, %.2f with the dictionary (of messages held out)", without, with);
        print(out, "encoding    %s", dictionary.encoding());
        if (with < SMALLEST_GAIN * without) {
            print(
                    out,
                    "The dictionary gains too little: do not use it. Are the messages random, encrypted or compressed?");
        }
        print(out, "");
        print(out, "On both sides:");
        print(out, "  highway.dictionaries.<name>=file:%s", file);
        print(out, "At callers, with the id of the destination island:");
        print(out, "  highway.islands.<destination>.compression=auto");
        print(out, "  highway.islands.<destination>.dictionary=<name>");
        print(out, "At all providers there, with the id of the callers' island:");
        print(out, "  highway.islands.<caller>.compression=auto");
        print(out, "  highway.islands.<caller>.dictionary=<name>");
        print(out, "");
        print(out, "It contains fragments of messages: protect it as them.");
        out.flush();
    }

    private static void print(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
