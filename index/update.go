package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// Run is one update.
type Run struct {
	Mode     Mode
	Deadline time.Time      // end of the work budget; zero means none (P-57)
	Revision *string        // revision of the corpus, kept with the coverage
	Excluded map[string]int // entries left out by the source beforehand, by reason
	Progress func(Progress) // called after each document, in order; must be quick

	// Confirm, when not nil, is asked right before the result is published; an
	// error discards it.
	Confirm func(ctx context.Context) error
}

// Update builds or refreshes the index and publishes the result. It takes the
// lock of the index for its whole time and returns store.ErrBusy when another
// update holds it until the deadline or the end of ctx.
//
// A rebuild visits every document. A refresh goes on with the verification
// cycle, or starts one when the last is finished: it visits every pending
// document, takes over those whose SHA-256 equals the stored one, and withdraws
// those that are gone or refused. When the work budget ends the visit stops at
// a document's border and what was done is published; the rest stays pending.
//
// On an error the published index stays as it was. The time is linear in the
// bytes read plus the size of the index; a refresh without a change costs
// reading, hashing, and one copy of the index.
func (ix *Index) Update(ctx context.Context, src Source, run Run) (Coverage, error) {
	wait := ctx
	if !run.Deadline.IsZero() {
		var cancel context.CancelFunc
		wait, cancel = context.WithTimeout(ctx, run.Deadline.Sub(ix.now()))
		defer cancel()
	}
	unlock, err := ix.dir.Lock(wait)
	if err != nil {
		return Coverage{}, err
	}
	defer unlock()
	if err := ix.dir.Sweep(); err != nil {
		return Coverage{}, err
	}
	old, err := ix.base(run.Mode)
	if err != nil {
		return Coverage{}, err
	}
	if old != nil {
		defer old.Close()
	}
	paths, err := src.Paths(ctx)
	if err != nil {
		return Coverage{}, err
	}
	u := &update{ix: ix, run: run, old: old}
	return u.do(ctx, src, paths)
}

// base gives the index that a refresh goes on from, nil for none. It is opened
// anew, so that every block is verified again: what was sound when a search
// read it may have been damaged in place since, and a refresh would give the
// damage new checksums.
func (ix *Index) base(mode Mode) (*store.Snapshot, error) {
	if mode == Rebuild {
		return nil, nil
	}
	s, err := ix.dir.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if m := s.Meta(); m.Format != store.Format || m.Tokenizer != tokenize.Version || m.Rules != ix.opt.Rules {
		// Other terms, other rules, or no bookkeeping to go on from: every
		// document is visited as if there were no index (P-87).
		return nil, s.Close()
	}
	return s, nil
}

// update is the state of one call of Update.
type update struct {
	ix   *Index
	run  Run
	old  *store.Snapshot
	plan *plan
	v    *visit
}

func (u *update) do(ctx context.Context, src Source, paths []string) (Coverage, error) {
	for i := 1; i < len(paths); i++ {
		if paths[i] <= paths[i-1] {
			return Coverage{}, fmt.Errorf("%w: entry %d", ErrOrder, i)
		}
	}
	if err := u.makePlan(paths); err != nil {
		return Coverage{}, err
	}
	u.v = &visit{plan: u.plan, source: src, opt: u.ix.opt, run: u.run, now: u.ix.now, reuse: u.old != nil}
	inverters, err := u.v.all(ctx)
	if err != nil {
		return Coverage{}, err
	}
	if u.v.late && u.v.decided == 0 {
		return Coverage{}, ErrBudget
	}
	w, err := u.ix.dir.Create()
	if err != nil {
		return Coverage{}, err
	}
	defer w.Discard()
	return u.publish(ctx, w, inverters)
}

func (u *update) makePlan(paths []string) error {
	if u.old == nil {
		u.plan = newPlan(paths, nil, nil)
		return nil
	}
	var rows []store.Source
	err := u.old.View(func(r *store.Reader) error {
		rows = make([]store.Source, r.Sources())
		for i := range rows {
			rows[i] = r.Source(uint32(i))
		}
		return nil
	})
	if err != nil {
		return err
	}
	m := u.old.Meta()
	u.plan = newPlan(paths, rows, &m.Cycle)
	return nil
}

// publish writes the tables and lists of the new index and puts it in place.
func (u *update) publish(ctx context.Context, w *store.Writer, inverters []*inverter) (Coverage, error) {
	t := u.newTables()
	var err error
	if u.old != nil && !t.changed {
		err = w.CopyTables(u.old)
	} else {
		err = u.writeTables(ctx, w, t, inverters)
	}
	if err != nil {
		return Coverage{}, err
	}
	m := store.Meta{
		Format: store.Format, Tokenizer: tokenize.Version, Rules: u.ix.opt.Rules,
		NextBase: t.nextBase, Cycle: u.plan.cycle(), Coverage: u.coverage(t),
	}
	if u.run.Confirm != nil {
		if err := u.run.Confirm(ctx); err != nil {
			return Coverage{}, err
		}
	}
	if err := w.Publish(ctx, m); err != nil {
		return Coverage{}, err
	}
	return m.Coverage, nil
}

func (u *update) writeTables(ctx context.Context, w *store.Writer, t *tables, inverters []*inverter) error {
	for i := range t.sources {
		if err := w.AddSource(t.sources[i]); err != nil {
			return err
		}
	}
	if err := u.writeChunks(w, t); err != nil {
		return err
	}
	m := &merge{paths: newPathRun(t.paths()), remap: t.remap, workers: u.ix.opt.Workers}
	if u.old != nil {
		m.old = u.old
	}
	runs, err := sortRuns(inverters)
	if err != nil {
		return err
	}
	m.runs = runs
	return m.write(ctx, w)
}

// sortRuns sorts what the inverters hold, side by side.
func sortRuns(inverters []*inverter) ([]*postingRun, error) {
	runs := make([]*postingRun, len(inverters))
	errs := make([]error, len(inverters))
	var wg sync.WaitGroup
	for i, inv := range inverters {
		wg.Go(func() {
			errs[i] = guard(func() error {
				runs[i] = sortRun(inv.terms, inv.inOrder())
				return nil
			})
		})
	}
	wg.Wait()
	return runs, errors.Join(errs...)
}
