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
import org.apache.dubbo.common.Version;

/** A protocol of a line of Dubbo. */
public enum Cell {
    TRI33("tri", false),
    DUBBO33("dubbo", false),
    TRI32("tri", true),
    DUBBO32("dubbo", true);

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

    String protocol() {
        return protocol;
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
