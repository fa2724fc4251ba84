-- Events were sent right after the commit and were lost when the process ended
-- in between. From here on they are written in the same transaction.

BEGIN;

CREATE TABLE IF NOT EXISTS outbox (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id      text NOT NULL REFERENCES orders (id),
    kind          text NOT NULL,
    occurred_at   timestamptz NOT NULL,
    published_at  timestamptz
);

CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_unpublished
    ON outbox (id) WHERE published_at IS NULL;

ALTER TABLE orders ADD COLUMN IF NOT EXISTS version bigint NOT NULL DEFAULT 1;

COMMIT;
