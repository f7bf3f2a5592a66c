// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** An order, as a business team would have made its class: nested beans, a list, amounts and dates. Numbers are objects, so
 * that reflection finds each setter at once. */
@SuppressWarnings("JavaUtilDate") // what such classes are made of
public class Order implements Serializable {

    private static final long serialVersionUID = 1;

    private String number = "";
    private String channel = "";
    private String currency = "";
    private Date placed = new Date(0);
    private Date deliverBefore = new Date(0);
    private Customer customer = new Customer();
    private Address shipTo = new Address();
    private List<OrderLine> lines = new ArrayList<>();
    private BigDecimal total = BigDecimal.ZERO;
    private String remark = "";

    public String getNumber() {
        return number;
    }

    public void setNumber(String number) {
        this.number = number;
    }

    public String getChannel() {
        return channel;
    }

    public void setChannel(String channel) {
        this.channel = channel;
    }

    public String getCurrency() {
        return currency;
    }

    public void setCurrency(String currency) {
        this.currency = currency;
    }

    public Date getPlaced() {
        return placed;
    }

    public void setPlaced(Date placed) {
        this.placed = placed;
    }

    public Date getDeliverBefore() {
        return deliverBefore;
    }

    public void setDeliverBefore(Date deliverBefore) {
        this.deliverBefore = deliverBefore;
    }

    public Customer getCustomer() {
        return customer;
    }

    public void setCustomer(Customer customer) {
        this.customer = customer;
    }

    public Address getShipTo() {
        return shipTo;
    }

    public void setShipTo(Address shipTo) {
        this.shipTo = shipTo;
    }

    public List<OrderLine> getLines() {
        return lines;
    }

    public void setLines(List<OrderLine> lines) {
        this.lines = lines;
    }

    public BigDecimal getTotal() {
        return total;
    }

    public void setTotal(BigDecimal total) {
        this.total = total;
    }

    public String getRemark() {
        return remark;
    }

    public void setRemark(String remark) {
        this.remark = remark;
    }
}
