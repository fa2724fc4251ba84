package example.millpond.billing;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Value added tax. Tax is computed once for each rate over the sum of its
 * items, not item by item: rounding each item would make the sum depend on how
 * an order is split into lines.
 */
public final class TaxCalculator {

    private static final long HALF = 5_000;
    private static final long WHOLE = 10_000;

    /** Tax in cents for every rate on the invoice, in order of appearance. */
    public Map<Integer, Long> taxByRate(Invoice invoice) {
        Map<Integer, Long> net = new LinkedHashMap<>();
        for (Invoice.Item item : invoice.items()) {
            net.merge(item.taxBasisPoints(), item.netCents(), Long::sum);
        }
        net.replaceAll((rate, cents) -> roundHalfUp(cents * rate));
        return net;
    }

    public long grossCents(Invoice invoice) {
        long net = invoice.items().stream().mapToLong(Invoice.Item::netCents).sum();
        long tax = taxByRate(invoice).values().stream().mapToLong(Long::longValue).sum();
        return net + tax;
    }

    private static long roundHalfUp(long basisPointCents) {
        return (basisPointCents + HALF) / WHOLE;
    }
}
