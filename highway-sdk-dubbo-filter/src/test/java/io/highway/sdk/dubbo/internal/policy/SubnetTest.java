// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubnetTest {

    private static boolean contains(String range, String address) throws UnknownHostException {
        Subnet subnet = Subnet.parse(range);
        assertThat(subnet).as(range).isNotNull();
        return subnet.contains(InetAddress.getByName(address));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.0.0/16, 10.1.255.255, true",
        "10.1.0.0/16, 10.2.0.0, false",
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.4.0/22, 192.168.7.255, true",
        "192.168.4.0/22, 192.168.8.0, false",
        "127.0.0.0/30, 127.0.0.2, true",
        "127.0.0.0/31, 127.0.0.2, false",
        "200.0.0.0/7, 201.255.255.255, true",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::, false",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1, true",
        "fe80::/10, febf::1, true",
        "fe80::/10, fec0::1, false",
        "::1, ::1, true",
        "::/0, 2001:db8::1, true",
        "::/0, 10.0.0.1, false",
        "::ffff:10.1.2.3, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 10.200.0.1, true",
        "::ffff:10.0.0.0/104, 11.0.0.1, false"
    })
    void containsTheAddressesOfTheRange(String range, String address, boolean contained) throws UnknownHostException {
        assertThat(contains(range, address)).isEqualTo(contained);
    }

    /** A socket of both families reports IPv4 peers so; getByName would convert them. */
    @Test
    void readsAnIpv4MappedPeer_asIpv4() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 1, 2, 3};
        InetAddress peer = Inet6Address.getByAddress(null, mapped, -1);
        assertThat(peer).isInstanceOf(Inet6Address.class);

        assertThat(Subnet.parse("10.1.0.0/16").contains(peer)).isTrue();
        assertThat(Subnet.parse("10.2.0.0/16").contains(peer)).isFalse();
        assertThat(Subnet.parse("::/0").contains(peer)).isFalse();
        assertThat(Subnet.parse("::ffff:10.1.2.3").contains(peer)).isTrue();
    }

    /** Only mapped addresses are IPv4: a peer can choose the others. */
    @ParameterizedTest
    @ValueSource(
            strings = {"::10.1.2.3", "64:ff9b::a01:203", "2002:a01:203::1", "::fffe:10.1.2.3", "0:0:0:0:1:ffff:10.1.2.3"
            })
    void readsNoOtherIpv6Address_asIpv4(String address) throws UnknownHostException {
        assertThat(contains("0.0.0.0/0", address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10.1",
                "10.1.2",
                "10.1.2.3.4",
                "10.1.2.256",
                "010.1.2.3",
                "0x0a.1.2.3",
                "10.1.2.3/33",
                "10.1.2.3/-1",
                "10.1.2.3/",
                "10.1.2.3/08",
                "/8",
                "10.1.2.3/8/8",
                "::1/129",
                "::ffff:10.0.0.0/95",
                "fe80::1%eth0",
                "1::2::3",
                ":",
                "gateway",
                "localhost",
                "10.1.2.3 ",
                "[::1]",
                "１０.1.2.3",
                "10.0.0.0/٨"
            })
    void isNoRange(String text) {
        assertThat(Subnet.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, 10.0.0.0/8",
        "10.0.0.0/8,",
        "10.1.2.3,",
        "2001:db8::1/32, 2001:db8:0:0:0:0:0:0/32",
        "192.168.5.0/22, 192.168.4.0/22"
    })
    void knowsTheRangeThatIsMeant(String written, String meant) {
        assertThat(Subnet.parse(written).corrected()).isEqualTo(meant);
    }

    @Test
    void looksNoNameUp() {
        assertThat(Subnet.literal("gateway.shanghai.test")).isNull();
        assertThat(Subnet.literal("127.0.0.1")).isEqualTo(InetAddress.getLoopbackAddress());
    }
}
