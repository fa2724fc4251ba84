package example.millpond.billing;

import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * What a customer has to pay. Once issued, an invoice is never changed: a
 * mistake is corrected by a credit note and a new invoice.
 */
public final class Invoice {

    /** One article on the invoice, with the rate of tax that applied on its date. */
    public record Item(String sku, int quantity, long unitPriceCents, int taxBasisPoints) {
        public Item {
            Objects.requireNonNull(sku);
            if (quantity <= 0) {
                throw new IllegalArgumentException("an item needs at least one piece");
            }
        }

        long netCents() {
            return quantity * unitPriceCents;
        }
    }

    public enum Status {
        OPEN,
        PAID,
        CREDITED,
    }

    private final InvoiceNumber number;
    private final String orderId;
    private final LocalDate issuedOn;
    private final List<Item> items;

    Invoice(InvoiceNumber number, String orderId, LocalDate issuedOn, List<Item> items) {
        this.number = Objects.requireNonNull(number);
        this.orderId = Objects.requireNonNull(orderId);
        this.issuedOn = Objects.requireNonNull(issuedOn);
        this.items = List.copyOf(items);
    }

    public InvoiceNumber number() {
        return number;
    }

    public String orderId() {
        return orderId;
    }

    public LocalDate issuedOn() {
        return issuedOn;
    }

    public List<Item> items() {
        return items;
    }

    /** The day after which a reminder goes out. */
    public LocalDate dueOn() {
        return issuedOn.plusDays(14);
    }
}
