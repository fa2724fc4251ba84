package orders

import "sort"

// Discount lowers the price of an order. Discounts are applied in order of
// Priority; each sees what the earlier ones left.
type Discount interface {
	Priority() int
	Apply(subtotal Money, o *Order) Money
}

// BulkDiscount gives a share off every order with at least Pieces articles.
type BulkDiscount struct {
	Pieces      int
	BasisPoints int64
}

func (d BulkDiscount) Priority() int { return 10 }

// Apply counts the pieces of all lines together.
func (d BulkDiscount) Apply(subtotal Money, o *Order) Money {
	pieces := 0
	for _, line := range o.Lines {
		pieces += line.Quantity
	}
	if pieces < d.Pieces {
		return 0
	}
	return subtotal.Percent(d.BasisPoints)
}

// CouponDiscount takes a fixed amount off, but never more than the order costs.
type CouponDiscount struct {
	Code   string
	Amount Money
}

func (d CouponDiscount) Priority() int { return 20 }

func (d CouponDiscount) Apply(subtotal Money, _ *Order) Money {
	return min(d.Amount, subtotal)
}

// PriceList turns an order into the amount that is charged.
type PriceList struct {
	Discounts       []Discount
	FreeShippingMin Money
	ShippingFee     Money
}

// Quote is a priced order: what the customer sees at checkout.
type Quote struct {
	Subtotal Money
	Discount Money
	Shipping Money
	Payable  Money
}

// Quote prices an order. The same order and list always give the same quote.
func (p *PriceList) Quote(o *Order) Quote {
	discounts := append([]Discount(nil), p.Discounts...)
	sort.SliceStable(discounts, func(i, j int) bool {
		return discounts[i].Priority() < discounts[j].Priority()
	})
	q := Quote{Subtotal: o.Total()}
	rest := q.Subtotal
	for _, d := range discounts {
		off := d.Apply(rest, o)
		q.Discount += off
		rest -= off
	}
	if rest < p.FreeShippingMin {
		q.Shipping = p.ShippingFee
	}
	q.Payable = rest + q.Shipping
	return q
}
