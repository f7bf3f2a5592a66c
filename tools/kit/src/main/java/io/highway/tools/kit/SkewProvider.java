// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.processes.DubboProvider;

/** Shanghai's provider, on the release that its class path has. */
final class SkewProvider {

    private SkewProvider() {}

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        new DubboProvider("desk", "shanghai.test")
                .listen(arguments[0], arguments[1])
                .export(Desk.class, new Answers())
                .serve("");
    }

    private record Answers() implements Desk {

        @Override
        public String answer(String text) {
            return text;
        }

        @Override
        public String refuse(String text) {
            throw new IllegalStateException(text);
        }
    }
}
