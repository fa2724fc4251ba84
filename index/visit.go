package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"projectknowledge/store"
)

// A visit reads the pending documents of a plan side by side and decides about
// them one after another in the plan's order: reading, hashing, judging and
// tokenizing are spread over the workers, the limits see the same sequence as
// a single worker would.
type visit struct {
	plan   *plan
	source Source
	opt    Options
	run    Run
	now    func() time.Time
	began  time.Time
	reuse  bool // equal hashes were judged by the same rules and cut by the same tokenizer

	mu      sync.Mutex
	turn    sync.Cond // the next one in order may decide
	next    int       // position in plan.order to be taken next
	decided int       // positions decided
	err     error     // first failure that ends the update
	late    bool      // the work budget ended

	reused, updated, deleted int
	heldFiles, heldBytes     bool
	read                     int64
}

// verdict is what reading a document found.
type verdict struct {
	text    []byte
	hash    [sha256.Size]byte
	refused string // reason, or ""
	unread  bool   // no room for a further row: not read yet
}

// work is one worker: it takes, reads, decides in turn, and inverts. It gives
// the inverters that it filled.
func (v *visit) work(ctx context.Context) (filled []*inverter) {
	inv := newInverter(len(v.plan.order) / max(v.opt.Workers, 1))
	filled = append(filled, inv)
	var buf []byte
	for {
		pos, ok := v.take(ctx)
		if !ok {
			return filled
		}
		e := &v.plan.entries[v.plan.order[pos]]
		var got verdict
		var err error
		if got.unread = v.crowded(e); !got.unread {
			got, err = v.look(ctx, e, buf)
		}
		accepted := v.decide(ctx, pos, e, &got, err, buf)
		if got.text != nil {
			buf = got.text[:0]
		}
		if accepted {
			if inv.full() {
				inv = newInverter(0)
				filled = append(filled, inv)
			}
			e.doc = inv.add(got.text, store.Source{Path: e.path, Hash: got.hash, Size: int64(len(got.text))})
		}
	}
}

// take gives the next position, until the plan, the budget or the call ends.
func (v *visit) take(ctx context.Context) (int, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil {
		v.err = ctx.Err()
	}
	if v.err != nil || v.late || v.next == len(v.plan.order) {
		return 0, false
	}
	if v.outOfTime() {
		v.late = true
		return 0, false
	}
	v.next++
	return v.next - 1, true
}

// What follows a visit, sorting and writing, takes up to tailShare of the
// visit's own time; tailGrace is what the commit may take beyond the budget
// (P-57, P-58).
const (
	tailShare = 0.75
	tailGrace = 4 * time.Second
)

// outOfTime tells that the budget is over, or that its end plus the grace would
// be missed if the visit went on.
func (v *visit) outOfTime() bool {
	if v.run.Deadline.IsZero() {
		return false
	}
	now := v.now()
	tail := time.Duration(tailShare * float64(now.Sub(v.began)))
	return !now.Before(v.run.Deadline) || now.Add(tail).After(v.run.Deadline.Add(tailGrace))
}

// crowded tells that no further row fits at this moment, so that a document
// without one need not be read before its turn.
func (v *visit) crowded(e *entry) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	ok, _ := v.plan.fits(e, 0, v.opt.Limits)
	return !ok
}

// look reads a document and judges it, unless its bytes were judged before.
func (v *visit) look(ctx context.Context, e *entry, buf []byte) (verdict, error) {
	text, err := v.source.Read(ctx, e.path, buf)
	if err != nil {
		return refusal(err)
	}
	got := verdict{text: text, hash: sha256.Sum256(text)}
	if v.reuse && e.old != none && v.plan.old[e.old].Hash == got.hash {
		return got, nil
	}
	if err := v.source.Admit(e.path, text); err != nil {
		refused, err := refusal(err)
		refused.text = text
		return refused, err
	}
	return got, nil
}

func refusal(err error) (verdict, error) {
	var r *Refusal
	if errors.As(err, &r) {
		return verdict{refused: r.Reason}, nil
	}
	return verdict{}, err
}

// decide waits for the turn of a position, settles the entry, and tells
// whether its text is to be inverted.
func (v *visit) decide(ctx context.Context, pos int, e *entry, got *verdict, err error, buf []byte) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for v.decided < pos && v.err == nil {
		v.turn.Wait()
	}
	defer v.turn.Broadcast()
	v.decided++
	if v.err != nil {
		return false
	}
	if err == nil && got.unread {
		if ok, _ := v.plan.fits(e, 0, v.opt.Limits); ok {
			*got, err = v.look(ctx, e, buf) // room was made meanwhile
		}
	}
	if err != nil {
		v.err = err
		return false
	}
	v.plan.cursor = e.path
	v.read += int64(len(got.text))
	accepted := v.settle(e, got)
	if v.run.Progress != nil {
		v.run.Progress(Progress{Files: v.decided, Total: len(v.plan.order), Bytes: v.read})
	}
	return accepted
}

// settle is the rule of P-52 and P-56 for one visited path.
func (v *visit) settle(e *entry, got *verdict) bool {
	if got.refused != "" {
		if v.plan.dropRow(e) {
			v.deleted++
		}
		e.pending, e.held, e.skipped = false, false, got.refused
		return false
	}
	if !got.unread && v.reuse && e.old != none && v.plan.old[e.old].Hash == got.hash {
		e.pending, e.held = false, false
		v.reused++
		return false
	}
	size := int64(len(got.text))
	if ok, why := v.plan.fits(e, size, v.opt.Limits); !ok {
		if v.plan.dropRow(e) {
			v.deleted++
		}
		e.held = true
		v.heldFiles = v.heldFiles || why == FileLimit
		v.heldBytes = v.heldBytes || why == CorpusLimit
		return false
	}
	v.plan.dropRow(e)
	v.plan.files++
	v.plan.bytes += size
	e.pending, e.held = false, false
	v.updated++
	return true
}

// all runs the workers to the end of the plan, of the budget, or of the call.
func (v *visit) all(ctx context.Context) ([]*inverter, error) {
	v.turn.L = &v.mu
	v.began = v.now()
	workers := max(1, min(v.opt.Workers, len(v.plan.order)))
	filled := make([][]*inverter, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			err := guard(func() error {
				filled[i] = v.work(ctx)
				return nil
			})
			if err != nil {
				v.fail(err)
			}
		})
	}
	wg.Wait()
	return slices.Concat(filled...), v.err
}

// fail ends the visit; those that wait for their turn go on.
func (v *visit) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil {
		v.err = err
	}
	v.turn.Broadcast()
}

// stopReason is P-59.
func (v *visit) stopReason() string {
	switch {
	case v.late:
		return TimeBudget
	case v.heldFiles:
		return FileLimit
	case v.heldBytes:
		return CorpusLimit
	}
	return Complete
}
