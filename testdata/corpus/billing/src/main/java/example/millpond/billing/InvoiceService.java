package example.millpond.billing;

import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.logging.Logger;

/** Issues invoices for paid orders and takes refunds back. */
public class InvoiceService {

    private static final Logger LOG = Logger.getLogger(InvoiceService.class.getName());

    private final InvoiceRepository repository;
    private final PaymentGateway gateway;
    private final TaxCalculator tax;
    private final Clock clock;

    public InvoiceService(
            InvoiceRepository repository, PaymentGateway gateway, TaxCalculator tax, Clock clock) {
        this.repository = repository;
        this.gateway = gateway;
        this.tax = tax;
        this.clock = clock;
    }

    /**
     * Issues the invoice of an order. Asking twice gives the same invoice, for the
     * event stream may deliver an event more than once.
     */
    public synchronized Invoice issue(String orderId, List<Invoice.Item> items) {
        return repository.findByOrder(orderId).orElseGet(() -> {
            LocalDate today = LocalDate.now(clock);
            InvoiceNumber number = repository.lastNumber().next(today.getYear());
            Invoice invoice = new Invoice(number, orderId, today, items);
            repository.save(invoice);
            LOG.info(() -> "issued " + number + " for order " + orderId);
            return invoice;
        });
    }

    public PaymentGateway.Outcome collect(Invoice invoice, String customerId)
            throws PaymentGateway.GatewayException {
        long gross = tax.grossCents(invoice);
        PaymentGateway.Charge charge = gateway.charge(invoice.number().toString(), customerId, gross);
        return charge.outcome();
    }

    /** Where invoices are kept. */
    public interface InvoiceRepository {
        java.util.Optional<Invoice> findByOrder(String orderId);

        InvoiceNumber lastNumber();

        void save(Invoice invoice);
    }
}
