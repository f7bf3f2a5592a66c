// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Date;

/** What comes back: little. */
@SuppressWarnings("JavaUtilDate") // what such classes are made of
public class Confirmation implements Serializable {

    private static final long serialVersionUID = 1;

    private String order = "";
    private String receipt = "";
    private String status = "";
    private Integer lines = 0;
    private BigDecimal total = BigDecimal.ZERO;
    private Date accepted = new Date(0);

    public String getOrder() {
        return order;
    }

    public void setOrder(String order) {
        this.order = order;
    }

    public String getReceipt() {
        return receipt;
    }

    public void setReceipt(String receipt) {
        this.receipt = receipt;
    }

    public String getStatus() {
        return status;
    }

    public void setStatus(String status) {
        this.status = status;
    }

    public Integer getLines() {
        return lines;
    }

    public void setLines(Integer lines) {
        this.lines = lines;
    }

    public BigDecimal getTotal() {
        return total;
    }

    public void setTotal(BigDecimal total) {
        this.total = total;
    }

    public Date getAccepted() {
        return accepted;
    }

    public void setAccepted(Date accepted) {
        this.accepted = accepted;
    }
}
