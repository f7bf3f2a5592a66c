// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighwayExceptionTest {

    @ParameterizedTest
    @CsvSource({
        "TIMEOUT, true, SENT_UNKNOWN",
        "REMOTE_FAILURE, true, SENT_UNKNOWN",
        "REFUSED_THERE, true, SENT_UNKNOWN",
        "TIMEOUT, false, NOT_SENT",
        "GATEWAY_DOWN, false, NOT_SENT",
        "NO_SUCH_SERVICE, false, NOT_SENT",
        "DENIED, false, REFUSED",
        "REFUSED_THERE, false, REFUSED",
        "BUSY, false, REFUSED",
        "BREAKER_OPEN, false, REFUSED"
    })
    void hasTheOutcomeOfTheCall(Reason reason, boolean mayHaveRun, Outcome outcome) {
        HighwayException exception = exception(reason, "shanghai", mayHaveRun);

        assertThat(exception.mayHaveRun()).isEqualTo(mayHaveRun);
        assertThat(exception.outcome()).isEqualTo(outcome);
    }

    @Test
    void namesTheDestination() {
        assertThat(exception(Reason.TIMEOUT, "shanghai", true).island()).isEqualTo("shanghai");
        assertThat(exception(Reason.UNKNOWN_ISLAND, null, false).island()).isNull();
    }

    @Test
    void keepsAllButTheIntent_whenSerialised() throws IOException, ClassNotFoundException {
        HighwayException read = readBack(exception(Reason.GATEWAY_DOWN, "shanghai", false));

        assertThat(read.isFromHere()).isFalse();
        assertThat(read.intent()).isEqualTo(Intent.NONE);
        assertThat(read.island()).isEqualTo("shanghai");
        assertThat(read.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(read.outcome()).isEqualTo(Outcome.NOT_SENT);
    }

    @Test
    void isMadeByTests() {
        HighwayException made = HighwayException.of(Reason.TIMEOUT, "shanghai", true);

        assertThat(made.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(made.island()).isEqualTo("shanghai");
        assertThat(made.outcome()).isEqualTo(Outcome.SENT_UNKNOWN);
        assertThat(made.isTimeout()).isTrue();
        assertThat(HighwayException.of(Reason.BUSY, null, false).outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void hasNoPublicConstructor() {
        assertThat(HighwayException.class.getConstructors()).isEmpty();
    }

    private static HighwayException exception(Reason reason, String island, boolean mayHaveRun) {
        return InternalHighwayException.create(
                "com.foo.Sms#send",
                reason,
                Intent.of(IntentSource.ATTACHMENT, "shanghai"),
                island,
                mayHaveRun,
                "decided",
                "what",
                "advice",
                null);
    }

    private static HighwayException readBack(HighwayException exception) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(exception);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (HighwayException) in.readObject();
        }
    }
}
