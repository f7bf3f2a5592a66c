// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.memory.Storm.Kind;
import io.highway.tools.security.memory.Storm.Source;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StormTest {

    private static Storm storm(Cell cell, String name) {
        return Storm.of(cell, false).stream()
                .filter(storm -> storm.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void everyTunnelHasStormsOfEachSource_onceEach(Cell cell) {
        List<Storm> storms = Storm.of(cell, false);

        assertThat(storms).extracting(Storm::name).doesNotHaveDuplicates();
        assertThat(storms).extracting(Storm::source).contains(Source.values());
        assertThat(storms).extracting(Storm::kind).contains(Kind.PLAIN, Kind.SLOW, Kind.STALLED);
        assertThat(Storm.of(cell, true)).isNotEmpty().isSubsetOf(storms);
        assertThat(storms)
                .filteredOn(storm -> storm.isCompared(cell))
                .hasSize(cell.isHttp() ? 0 : comparedWithPlain(storms));
    }

    private static int comparedWithPlain(List<Storm> storms) {
        return (int) storms.stream()
                .filter(storm -> storm.source() == Source.HOME && storm.kind() != Kind.SLOW)
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void callsOfHomeHaveRouteHeaders_overHttpOnly(Cell cell) {
        Request request = storm(cell, "slow-1mb-10-connections").request(cell);

        assertThat(request.headers().containsKey("highway-island")).isEqualTo(cell.isHttp());
        assertThat(request.announced())
                .isEqualTo(request.frame().readableBytes())
                .isGreaterThan(1_000_000);
    }

    @Test
    void aLinkCarriesBodiesInPieces_asTimePasses() {
        EmbeddedChannel connection = new EmbeddedChannel();
        ThinLink link = new ThinLink(connection.eventLoop());
        connection.pipeline().addFirst(link);

        connection.writeOneOutbound(Unpooled.wrappedBuffer(new byte[1 << 20]));

        assertThat(connection.outboundMessages()).isEmpty();
        assertThat(connection.isWritable()).isFalse();
        link.release();
        connection.finishAndReleaseAll();
    }

    @ParameterizedTest
    @EnumSource
    void answersAreWhole_orStall(Cell cell) {
        Destination.Answer whole = storm(cell, "answers-plain-8mb").answer(cell);
        Destination.Answer stalled = storm(cell, "answers-stalled-300").answer(cell);

        assertThat(whole.bytes().readableBytes()).isGreaterThanOrEqualTo(whole.length());
        assertThat(stalled.isWhole()).isFalse();
        assertThat(stalled.bytes().readableBytes()).isBetween(stalled.length() / 10 * 9, stalled.length() - 1);
    }
}
