// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.processes.ClassPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.dubbo.common.Version;

/** A tunnel to a provider on a line of Dubbo. */
public enum Cell {
    TRI33("tri", false),
    DUBBO33("dubbo", false),
    HTTP33("http", false),
    TRI32("tri", true),
    DUBBO32("dubbo", true),
    HTTP32("http", true);

    /** On the newest line. */
    public static final List<Cell> NEWEST = List.of(TRI33, DUBBO33, HTTP33);

    private final String protocol;
    private final boolean older;

    Cell(String protocol, boolean older) {
        this.protocol = protocol;
        this.older = older;
    }

    /** As {@code --only} has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The protocol of the services. */
    String protocol() {
        return isHttp() ? "tri" : protocol;
    }

    boolean isHttp() {
        return protocol.equals("http");
    }

    /** As the SDK's keys have it. */
    String tunnel() {
        return isTriple() ? "triple" : protocol;
    }

    /** Those that a call of home needs: over HTTP route headers, as each call. */
    Map<String, String> headersOfHome() {
        return isHttp() ? Map.of("highway-island", "shanghai", "highway-from", "zhejiang/orders/1") : Map.of();
    }

    /** The header or attachment of the group. */
    String group() {
        return isTriple() ? "tri-service-group" : "group";
    }

    boolean isDubbo() {
        return protocol.equals("dubbo");
    }

    boolean isTriple() {
        return protocol.equals("tri");
    }

    /** Options of the virtual machine that this line of Dubbo needs on Java 17. */
    List<String> options() {
        return older ? ClassPath.OPTIONS_OF_DUBBO_32 : List.of();
    }

    /** The class path of a provider. */
    String classPath(boolean sdk) {
        List<Class<?>> left = new ArrayList<>();
        if (!sdk) {
            left.addAll(List.of(Highway.class, HighwayException.class));
        }
        if (!older) {
            return ClassPath.without(left);
        }
        left.addAll(List.of(Version.class, Hessian2Input.class));
        return ClassPath.withDubbo32(Cell.class, left);
    }
}
