// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.sms;

import io.highway.samples.springboot.service.TextService;
import org.apache.dubbo.config.annotation.DubboService;

@DubboService
class Texts implements TextService {

    private final Stamp stamp;

    Texts(Stamp stamp) {
        this.stamp = stamp;
    }

    @Override
    public String confirmation(long order) {
        return stamp.on("order " + order + " is on its way");
    }
}
