package orders

import (
	"context"
	"database/sql"
	"time"
)

// Event tells other services what happened to an order.
type Event struct {
	OrderID string
	Kind    string // "order.placed", "order.paid", …
	At      time.Time
}

// Outbox is the transactional outbox: events are rows of the same database as
// the orders, and a relay publishes them afterwards. An event is published at
// least once; consumers drop duplicates by its id.
type Outbox struct {
	db *sql.DB
}

// Append records an event that is not published yet.
func (b *Outbox) Append(ctx context.Context, e Event) error {
	_, err := b.db.ExecContext(ctx,
		`INSERT INTO outbox (order_id, kind, occurred_at) VALUES ($1, $2, $3)`,
		e.OrderID, e.Kind, e.At)
	return err
}

// Publisher hands an event to the message broker.
type Publisher interface {
	Publish(ctx context.Context, id int64, e Event) error
}

// Relay publishes up to limit events in order of their ids and marks them.
// It gives the number of events published; an error stops it at the first
// event that failed, so that the order of events is kept.
func (b *Outbox) Relay(ctx context.Context, p Publisher, limit int) (int, error) {
	rows, err := b.db.QueryContext(ctx, `
		SELECT id, order_id, kind, occurred_at FROM outbox
		WHERE published_at IS NULL ORDER BY id LIMIT $1`, limit)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	done := 0
	for rows.Next() {
		var (
			id int64
			e  Event
		)
		if err := rows.Scan(&id, &e.OrderID, &e.Kind, &e.At); err != nil {
			return done, err
		}
		if err := p.Publish(ctx, id, e); err != nil {
			return done, err
		}
		if _, err := b.db.ExecContext(ctx, `UPDATE outbox SET published_at = now() WHERE id = $1`, id); err != nil {
			return done, err
		}
		done++
	}
	return done, rows.Err()
}
