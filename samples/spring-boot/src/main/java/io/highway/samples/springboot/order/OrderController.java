// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.order;

import static io.highway.sdk.Island.When.HOME_ABSENT;

import io.highway.samples.springboot.service.Order;
import io.highway.samples.springboot.service.Order.Address;
import io.highway.samples.springboot.service.SmsService;
import io.highway.samples.springboot.service.TextService;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.rpc.RpcContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sends customers texts about their orders; each means to route a call has its own path. */
@RestController
@RequestMapping("/orders/{id}")
@SuppressWarnings("NullAway.Init") // Dubbo sets the references
class OrderController {

    @DubboReference
    private TextService texts;

    @Island("shanghai")
    @DubboReference
    private SmsService shanghaiSms;

    @Island("beijing")
    @DubboReference
    private SmsService beijingSms;

    @Island(value = "shanghai", when = HOME_ABSENT)
    @DubboReference
    private TextService nearestTexts;

    @Island(value = "shanghai", when = HOME_ABSENT)
    @DubboReference
    private SmsService nearestSms;

    @GetMapping("/text")
    String atHome(@PathVariable long id) {
        return texts.confirmation(id);
    }

    @GetMapping("/by-annotation/shanghai")
    String byAnnotationToShanghai(@PathVariable long id) {
        return shanghaiSms.send("order " + id);
    }

    @GetMapping("/by-annotation/beijing")
    String byAnnotationToBeijing(@PathVariable long id) {
        return beijingSms.send("order " + id);
    }

    @GetMapping("/by-attachment/{island}")
    String byAttachment(@PathVariable long id, @PathVariable String island) {
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, island);
        return texts.confirmation(id);
    }

    @GetMapping("/by-scope/{island}")
    String byScope(@PathVariable long id, @PathVariable String island) {
        return Highway.to(island).call(() -> texts.confirmation(id));
    }

    @GetMapping("/by-scope/{island}/later")
    CompletableFuture<String> byScopeLater(@PathVariable long id, @PathVariable String island) {
        return Highway.to(island).call(() -> shanghaiSms.sendLater("order " + id));
    }

    /** The order's address decides, even over the annotation on the reference. */
    @GetMapping("/by-key/{area}")
    String byKey(@PathVariable long id, @PathVariable String area) {
        return shanghaiSms.sendFor(new Order(id, new Address(area)));
    }

    @GetMapping("/home-absent/text")
    String homeFirst(@PathVariable long id) {
        return nearestTexts.confirmation(id);
    }

    @GetMapping("/home-absent/sms")
    String homeFirstSms(@PathVariable long id) {
        return nearestSms.send("order " + id);
    }
}
