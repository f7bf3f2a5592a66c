// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configurations of docs/operate/audit.md write each line as it is, into a separate file. */
class AuditConfigurationTest {

    private static final String LINE = "{\"event\":\"end\",\"direction\":\"in\",\"to\":{\"method\":\"a{}%n\"}}";

    @TempDir
    private Path folder;

    private static String documented(String title) throws Exception {
        String page = Files.readString(
                Path.of("").toAbsolutePath().getParent().getParent().resolve("docs/operate/audit.md"));
        Matcher block =
                Pattern.compile("(?s)## " + title + "\\n\\n```xml\\n(.*?)```").matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void logbackWritesTheLinesAlone() throws Exception {
        Path file = folder.resolve("logback.log");
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter()); // as SLF4J does
        context.putProperty("audit.file", file.toString());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream(documented("Logback").getBytes(StandardCharsets.UTF_8)));

        context.getLogger("highway.audit").info(LINE);
        context.getLogger("io.highway").error("another line");
        context.stop();

        assertThat(file).hasContent(LINE);
    }

    @Test
    void theSampleHasTheDocumentedAppender() throws Exception {
        String documented = documented("Logback");
        String sample = Files.readString(Path.of("src/main/resources/logback.xml"));

        assertThat(sample)
                .contains(
                        documented.substring(documented.indexOf("<appender"), documented.indexOf("</configuration>")));
    }

    @Test
    void log4jWritesTheLinesAlone() throws Exception {
        Path file = folder.resolve("log4j.log");
        String ofOthers = System.setProperty("audit.file", file.toString());
        try (org.apache.logging.log4j.core.LoggerContext context =
                new org.apache.logging.log4j.core.LoggerContext("documented")) {
            context.start(new XmlConfiguration(
                    context,
                    new ConfigurationSource(
                            new ByteArrayInputStream(documented("Log4j2").getBytes(StandardCharsets.UTF_8)))));

            context.getLogger("highway.audit").info(LINE);
            context.getLogger("io.highway").error("another line");
        } finally {
            System.clearProperty("audit.file");
            if (ofOthers != null) {
                System.setProperty("audit.file", ofOthers);
            }
        }

        assertThat(file).hasContent(LINE);
    }
}
