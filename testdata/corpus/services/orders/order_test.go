package orders

import (
	"errors"
	"testing"
	"time"
)

func TestAdvance(t *testing.T) {
	noon := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		from, to State
		ok       bool
	}{
		{StateDraft, StatePlaced, true},
		{StatePlaced, StatePaid, true},
		{StatePacked, StateCancelled, true},
		{StateShipped, StateCancelled, false},
		{StateDelivered, StateDraft, false},
		{StateDraft, StateShipped, false},
	}
	for _, tt := range tests {
		o := &Order{State: tt.from}
		err := o.Advance(tt.to, noon)
		if tt.ok && (err != nil || o.State != tt.to) {
			t.Errorf("%s to %s: state %s, error %v", tt.from, tt.to, o.State, err)
		}
		if !tt.ok && (!errors.Is(err, ErrInvalidTransition) || o.State != tt.from) {
			t.Errorf("%s to %s: state %s, error %v", tt.from, tt.to, o.State, err)
		}
	}
}

func TestQuoteAppliesDiscountsInOrder(t *testing.T) {
	list := PriceList{
		Discounts:       []Discount{CouponDiscount{Code: "SPRING", Amount: 500}, BulkDiscount{Pieces: 10, BasisPoints: 1000}},
		FreeShippingMin: 5000,
		ShippingFee:     490,
	}
	o := &Order{Lines: []Line{{SKU: "TEA-100", Quantity: 10, Price: 400}}}
	q := list.Quote(o)
	// 40.00, less 10 %, less the coupon, plus shipping.
	want := Quote{Subtotal: 4000, Discount: 900, Shipping: 490, Payable: 3590}
	if q != want {
		t.Errorf("quote %+v, want %+v", q, want)
	}
}

func TestParseMoney(t *testing.T) {
	for text, want := range map[string]Money{"12.50": 1250, "-3": -300, "-0.05": -5, "0": 0} {
		got, err := ParseMoney(text)
		if err != nil || got != want {
			t.Errorf("ParseMoney(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1.5", "x", "1.x0"} {
		if got, err := ParseMoney(text); err == nil {
			t.Errorf("ParseMoney(%q) = %v", text, got)
		}
	}
}
