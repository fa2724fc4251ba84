package orders

import (
	"fmt"
	"strconv"
	"strings"
)

// Money is an amount in the smallest unit of its currency, cents for the euro.
// It is never a float: ten additions of 0.1 must give 1.
type Money int64

// ParseMoney reads a decimal amount such as "12.50" or "-3".
func ParseMoney(s string) (Money, error) {
	whole, cents, found := strings.Cut(s, ".")
	negative := strings.HasPrefix(whole, "-")
	units, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("orders: amount %q: %w", s, err)
	}
	amount := units * 100
	if found {
		if len(cents) != 2 {
			return 0, fmt.Errorf("orders: amount %q needs two decimals", s)
		}
		fraction, err := strconv.ParseUint(cents, 10, 8)
		if err != nil {
			return 0, fmt.Errorf("orders: amount %q: %w", s, err)
		}
		if negative {
			amount -= int64(fraction)
		} else {
			amount += int64(fraction)
		}
	}
	return Money(amount), nil
}

// String formats the amount with two decimals and no currency sign.
func (m Money) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	return fmt.Sprintf("%s%d.%02d", sign, int64(m)/100, int64(m)%100)
}

// Percent gives the share of m, rounded half away from zero, in hundredths of
// a percent: 1900 is 19 %.
func (m Money) Percent(basisPoints int64) Money {
	product := int64(m) * basisPoints
	if product < 0 {
		return Money((product - 5000) / 10000)
	}
	return Money((product + 5000) / 10000)
}
