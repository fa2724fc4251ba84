-- The database of the orders service. Other services read it through the API
-- or the event stream, never directly.

CREATE TYPE notification_channel AS ENUM ('email', 'sms', 'none');

CREATE TABLE customers (
    id          text PRIMARY KEY,
    full_name   text NOT NULL,
    language    text NOT NULL DEFAULT 'en',
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE orders (
    id           text PRIMARY KEY,
    customer_id  text NOT NULL REFERENCES customers (id),
    state        smallint NOT NULL CHECK (state BETWEEN 0 AND 6),
    currency     char(3) NOT NULL,
    lines        jsonb NOT NULL,
    placed_at    timestamptz,
    version      bigint NOT NULL DEFAULT 1
);

CREATE INDEX orders_by_customer ON orders (customer_id, placed_at DESC);

-- Orders that wait for something; the sweeper looks at them every minute.
CREATE INDEX orders_open ON orders (state, placed_at) WHERE state IN (1, 2, 3);

CREATE TABLE outbox (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id      text NOT NULL REFERENCES orders (id),
    kind          text NOT NULL,
    occurred_at   timestamptz NOT NULL,
    published_at  timestamptz
);

CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL;

CREATE OR REPLACE FUNCTION order_total(lines jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(sum((line->>'Price')::bigint * (line->>'Quantity')::bigint), 0)
    FROM jsonb_array_elements(lines) AS line
$$;

CREATE VIEW order_totals AS
    SELECT id, customer_id, state, order_total(lines) AS total
    FROM orders;
