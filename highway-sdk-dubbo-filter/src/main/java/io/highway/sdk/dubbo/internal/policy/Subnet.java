// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses, such as {@code 10.1.0.0/16}, {@code 2001:db8::/32} or a single address. IPv4-mapped IPv6
 * addresses ({@code ::ffff:10.1.2.3}) are IPv4 addresses, on both sides; no other IPv6 address is.
 */
public final class Subnet {

    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "\\." + OCTET + "\\." + OCTET + "\\." + OCTET);
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern PREFIX = Pattern.compile("(.*?)(?:/(0|[1-9][0-9]{0,2}))?");
    private static final int MAPPED_BITS = 96;

    private final byte[] network;
    private final int bits;
    private final String text;

    private Subnet(byte[] network, int bits, String text) {
        this.network = network;
        this.bits = bits;
        this.text = text;
    }

    /** Reads a range; null if the text is none. No name is looked up. */
    static @Nullable Subnet parse(String text) {
        Matcher parts = PREFIX.matcher(text);
        InetAddress address = parts.matches() ? literal(parts.group(1)) : null;
        if (address == null) {
            return null;
        }
        byte[] network = address.getAddress();
        int all = network.length * 8;
        int bits = all;
        if (parts.group(2) != null) {
            boolean mapped = address instanceof Inet4Address && parts.group(1).indexOf(':') >= 0;
            bits = Integer.parseInt(parts.group(2)) - (mapped ? MAPPED_BITS : 0);
        }
        return bits < 0 || bits > all ? null : new Subnet(network, bits, text);
    }

    /** The address that a text is, or null if it is none. No name is looked up. */
    public static @Nullable InetAddress literal(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text); // looks no name up if the text has the form of an address
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Whether the address is in the range. */
    public boolean contains(InetAddress address) {
        byte[] bytes = unmapped(address.getAddress());
        if (bytes.length != network.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (((bytes[i] ^ network[i]) & mask(i)) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The smallest range that contains the written address, if that address has bits beyond the prefix; else null. */
    @Nullable
    String corrected() {
        byte[] masked = network.clone();
        for (int i = 0; i < masked.length; i++) {
            masked[i] &= (byte) mask(i);
        }
        if (Arrays.equals(masked, network)) {
            return null;
        }
        try {
            return InetAddress.getByAddress(masked).getHostAddress() + "/" + bits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // the length is right
        }
    }

    private static byte[] unmapped(byte[] address) {
        if (address.length != 16 || address[10] != -1 || address[11] != -1) {
            return address;
        }
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return address;
            }
        }
        return Arrays.copyOfRange(address, 12, 16);
    }

    /** The bits of a byte that the prefix covers. */
    private int mask(int index) {
        int covered = Math.min(8, Math.max(0, bits - 8 * index));
        return 0xff00 >> covered & 0xff;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Subnet subnet && bits == subnet.bits && Arrays.equals(network, subnet.network);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(network) + bits;
    }

    /** As it is written. */
    @Override
    public String toString() {
        return text;
    }
}
