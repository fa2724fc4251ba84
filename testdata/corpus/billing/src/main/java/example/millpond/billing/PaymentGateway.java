package example.millpond.billing;

import java.util.Optional;

/** The bank's side of a payment. Implementations must be safe to call from several threads. */
public interface PaymentGateway {

    /**
     * Charges an amount. The idempotency key makes a repeated call harmless: the
     * gateway answers with the outcome of the first one.
     */
    Charge charge(String idempotencyKey, String customerId, long amountCents) throws GatewayException;

    Charge refund(String chargeId, long amountCents) throws GatewayException;

    Optional<Charge> find(String chargeId);

    record Charge(String id, long amountCents, Outcome outcome) {}

    enum Outcome {
        ACCEPTED,
        DECLINED,
        PENDING,
    }

    /** The gateway could not be asked, or its answer did not arrive. */
    class GatewayException extends Exception {
        private final boolean outcomeKnown;

        public GatewayException(String message, boolean outcomeKnown) {
            super(message);
            this.outcomeKnown = outcomeKnown;
        }

        public boolean outcomeKnown() {
            return outcomeKnown;
        }
    }
}
