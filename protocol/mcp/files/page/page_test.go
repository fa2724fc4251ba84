package page

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func number(n int) *int { return &n }

func reason(r Reason) *Reason { return &r }

// TestOutcome holds the table of M-41 and M-42.
func TestOutcome(t *testing.T) {
	cases := []struct {
		name string
		cut  Cut
		want Outcome
		next *int
	}{
		{"whole", Cut{Offset: 0, Shown: 3, Total: 3}, Outcome{TotalCount: number(3), Complete: true}, nil},
		{"empty past the end", Cut{Offset: 9, Total: 3}, Outcome{TotalCount: number(3), Complete: true}, nil},
		{"first of several", Cut{Shown: 3, Total: 9, More: true, Reason: PageLimit}, Outcome{TotalCount: number(9), HasMore: true, Truncated: true, TruncationReason: reason(PageLimit)}, number(3)},
		{"stopped uncounted", Cut{Offset: 5, Shown: 2, Total: UncountedTotal, More: true, Reason: Timeout}, Outcome{HasMore: true, Truncated: true, TruncationReason: reason(Timeout)}, number(7)},
		{"stopped before the first", Cut{Offset: 5, Total: UncountedTotal, More: true, Reason: Timeout}, Outcome{Truncated: true, TruncationReason: reason(Timeout)}, nil},
	}
	for _, c := range cases {
		got, next := c.cut.outcome()
		if text(t, got) != text(t, c.want) || text(t, next) != text(t, c.next) {
			t.Errorf("%s: got %s next %s, want %s next %s", c.name, text(t, got), text(t, next), text(t, c.want), text(t, c.next))
		}
	}
}

// TestForms checks the wire names of the three forms (M-41).
func TestForms(t *testing.T) {
	cut := Cut{Offset: 1, Shown: 2, Total: 9, More: true, Reason: PageLimit}
	const tail = `"total_count":9,"has_more":true,"truncated":true,"complete":false,"truncation_reason":"page_limit"}`
	for got, want := range map[string]string{
		text(t, cut.OffsetPage(2)): `{"offset":1,"limit":2,"next_offset":3,` + tail,
		text(t, cut.ResultPage(2)): `{"offset":1,"max_results":2,"next_offset":3,` + tail,
		text(t, cut.LinePage(2)):   `{"offset_line":1,"limit_lines":2,"next_offset_line":3,` + tail,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestLaws holds the laws of M-42 for any cut.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cut := Cut{
			Offset: rapid.IntRange(0, MaxOffset).Draw(t, "offset"), Shown: rapid.IntRange(0, 5000).Draw(t, "shown"),
			Total: rapid.IntRange(-1, 9).Draw(t, "total"), More: rapid.Bool().Draw(t, "more"), Reason: ByteLimit,
		}
		o, next := cut.outcome()
		if o.Complete == o.Truncated || o.Complete && o.HasMore || o.HasMore != (next != nil) || (o.TruncationReason != nil) != o.Truncated {
			t.Fatalf("%+v", o)
		}
		if next != nil && *next <= cut.Offset {
			t.Fatalf("next %d does not lead beyond %d", *next, cut.Offset)
		}
	})
}

// TestStringSize holds the measure against the encoder that it stands for (M-43): never less, and exact without control characters.
func TestStringSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }), rapid.StringMatching("[ -~\n\t\u2028é研]*")).Draw(t, "s")
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(s); err != nil {
			t.Fatal(err)
		}
		exact := out.Len() - len("\"\"\n")
		if got := StringSize(s); got < exact || got != BytesSize([]byte(s)) {
			t.Fatalf("StringSize(%q) = %d, BytesSize %d, encoded %d", s, got, BytesSize([]byte(s)), exact)
		}
	})
}

func TestMeter(t *testing.T) {
	m := NewMeter(10, 4)
	if !m.Take(6) || m.Take(1) || m.Left() != 0 {
		t.Errorf("meter left %d", m.Left())
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
