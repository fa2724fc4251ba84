package orders

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNotFound says that no order has the id.
var ErrNotFound = errors.New("orders: not found")

// ErrConflict says that somebody else wrote the order since it was read. The
// caller reads it again and decides anew.
var ErrConflict = errors.New("orders: written concurrently")

// Store keeps orders in PostgreSQL.
type Store struct {
	db *sql.DB
}

// NewStore uses an open pool; closing it stays with the caller.
func NewStore(db *sql.DB) *Store {
	return &Store{db: db}
}

const selectOrder = `
	SELECT id, customer_id, state, currency, lines, placed_at, version
	FROM orders WHERE id = $1`

// Find reads one order.
func (s *Store) Find(ctx context.Context, id string) (*Order, error) {
	var (
		o      Order
		state  int
		lines  []byte
		placed sql.NullTime
	)
	row := s.db.QueryRowContext(ctx, selectOrder, id)
	err := row.Scan(&o.ID, &o.CustomerID, &state, &o.Currency, &lines, &placed, &o.Version)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("orders: find %s: %w", id, err)
	}
	if err := json.Unmarshal(lines, &o.Lines); err != nil {
		return nil, fmt.Errorf("orders: lines of %s: %w", id, err)
	}
	o.State, o.PlacedAt = State(state), placed.Time
	return &o, nil
}

// Save writes an order with optimistic locking: the row must still have the
// version that was read.
func (s *Store) Save(ctx context.Context, o *Order) error {
	lines, err := json.Marshal(o.Lines)
	if err != nil {
		return err
	}
	result, err := s.db.ExecContext(ctx, `
		UPDATE orders SET state = $1, lines = $2, placed_at = $3, version = version + 1
		WHERE id = $4 AND version = $5`,
		int(o.State), lines, o.PlacedAt, o.ID, o.Version)
	if err != nil {
		return fmt.Errorf("orders: save %s: %w", o.ID, err)
	}
	changed, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if changed == 0 {
		return ErrConflict
	}
	o.Version++
	return nil
}
