// Package orders keeps a shop's orders from the first line in the cart to the
// parcel at the door.
package orders

import (
	"errors"
	"fmt"
	"time"
)

// State is where an order stands in its life.
type State int

const (
	StateDraft State = iota
	StatePlaced
	StatePaid
	StatePacked
	StateShipped
	StateDelivered
	StateCancelled
)

var stateNames = [...]string{"draft", "placed", "paid", "packed", "shipped", "delivered", "cancelled"}

// String gives the name that the database and the event stream use.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateNames) {
		return fmt.Sprintf("state(%d)", int(s))
	}
	return stateNames[s]
}

// ErrInvalidTransition says that an order cannot go from its state to the one
// asked for, for instance from shipped back to draft.
var ErrInvalidTransition = errors.New("orders: invalid state transition")

// Line is one article of an order.
type Line struct {
	SKU      string
	Quantity int
	Price    Money // of a single piece, at the time the order was placed
}

// Order is what a customer bought.
type Order struct {
	ID         string
	CustomerID string
	Lines      []Line
	State      State
	Currency   string
	PlacedAt   time.Time
	Version    int64 // grows with each write; see Store.Save
}

// transitions lists the states that may follow each state. Cancelling is
// possible until the parcel has left the warehouse.
var transitions = map[State][]State{
	StateDraft:   {StatePlaced, StateCancelled},
	StatePlaced:  {StatePaid, StateCancelled},
	StatePaid:    {StatePacked, StateCancelled},
	StatePacked:  {StateShipped, StateCancelled},
	StateShipped: {StateDelivered},
}

// Advance moves the order to next, or returns ErrInvalidTransition and leaves
// it as it was.
func (o *Order) Advance(next State, now time.Time) error {
	for _, allowed := range transitions[o.State] {
		if allowed == next {
			if next == StatePlaced {
				o.PlacedAt = now
			}
			o.State = next
			return nil
		}
	}
	return fmt.Errorf("%w: %s to %s", ErrInvalidTransition, o.State, next)
}

// Total is the sum of all lines before tax and shipping.
func (o *Order) Total() Money {
	var sum Money
	for _, line := range o.Lines {
		sum += line.Price * Money(line.Quantity)
	}
	return sum
}

// Terminal reports whether nothing can happen to the order any more.
func (o *Order) Terminal() bool {
	return len(transitions[o.State]) == 0
}
