// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.gateway.EchoService.Letter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.utils.SerializeCheckStatus;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are written by Dubbo's own serializations, and read by structure alone. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // arguments people do send
class DubboRequestTest {
    private static FrameworkModel framework;
    private static URL url;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
        url = URL.valueOf("dubbo://shanghai.test:1").setScopeModel(framework.newApplication());
        framework.getBeanFactory().getBean(SerializeSecurityManager.class).setCheckStatus(SerializeCheckStatus.DISABLE);
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void findsIslandAndGroup_behindArguments(String serialization) throws IOException {
        DubboRequestFacts request = read(request(serialization, new Letter(), 1, null));

        assertThat(List.of(request.service(), request.version(), request.method()))
                .containsExactly("com.foo.Sms", "1.0.0", "send");
        assertThat(request.attachments()).containsEntry("group", "blue").containsEntry("highway-island", "shanghai");
    }

    @Test
    void namesAnUnsupportedSerialization() {
        assertThatThrownBy(() -> read(frame(22, new byte[3]))).hasMessageContaining("serialization id 22");
    }

    @ParameterizedTest
    @CsvSource({"hessian2,2", "fastjson2,23"})
    void writesErrorsThatDubboReads(String serialization, int id) throws Exception {
        for (String text : List.of("R", "a".repeat(31), "b".repeat(47), "c".repeat(48), "d".repeat(1000))) {
            ByteBuf error = OwnFrames.error(Unpooled.buffer().alloc(), -5, id, text);
            byte[] body = ByteBufUtil.getBytes(OwnFrames.body(error));

            assertThat(named(serialization)
                            .deserialize(url, new java.io.ByteArrayInputStream(body))
                            .readUTF())
                    .isEqualTo(text);
            assertThat(FrameHeader.id(error, 0)).isEqualTo(-5);
            error.release();
        }
    }

    private static DubboRequestFacts read(ByteBuf frame) {
        return DubboRequestFacts.ofBody(OwnFrames.body(frame), FrameHeader.serialization(frame, 0));
    }

    private static Serialization named(String serialization) {
        return framework.getExtensionLoader(Serialization.class).getExtension(serialization);
    }

    private static ByteBuf request(String serialization, @Nullable Object... arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = named(serialization).serialize(url, bytes);
        out.writeUTF("2.0.2");
        out.writeUTF("com.foo.Sms");
        out.writeUTF("1.0.0");
        out.writeUTF("send");
        out.writeUTF("Ljava/lang/Object;".repeat(arguments.length));
        for (Object argument : arguments) {
            out.writeObject(argument);
        }
        Map<String, Object> attachments = new HashMap<>();
        attachments.put("path", "com.foo.Sms");
        attachments.put("numbers", List.of(1, -7, 100_000, 5_000_000_000L, 0.5d, 1.25f));
        attachments.put("when", new Date());
        attachments.put("amount", new BigDecimal("123456789.123456789"));
        attachments.put("letter", new Letter());
        attachments.put("nested", new HashMap<>(Map.of("highway-island", "beijing")));
        attachments.put("non-ascii", "中文é");
        attachments.put("nothing", null);
        attachments.put("group", "blue");
        attachments.put("highway-island", "shanghai");
        out.writeAttachments(attachments);
        out.flushBuffer();
        return frame(serialization.equals("hessian2") ? 2 : 23, bytes.toByteArray());
    }

    private static ByteBuf frame(int serialization, byte[] body) {
        return Unpooled.buffer()
                .writeShort(0xdabb)
                .writeByte(0xc0 | serialization)
                .writeByte(0)
                .writeLong(1)
                .writeInt(body.length)
                .writeBytes(body);
    }
}
