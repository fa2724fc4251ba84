package provider

import (
	"context"
	"errors"
	"io/fs"

	"projectknowledge/index/source"
)

// Status gives the saved metadata of the index. It looks at no source and writes nothing (P-67, P-68).
func (p *Provider) Status(ctx context.Context) (*StatusResult, error) {
	return serve(p, "status", func() (*StatusResult, error) { return p.status(ctx) })
}

func (p *Provider) status(ctx context.Context) (*StatusResult, error) {
	ctx, cancel := within(ctx, p.opt.SearchBudget)
	defer cancel()
	if err := p.root.Check(ctx); err != nil {
		return nil, err
	}
	cache, err := p.cache.open(false)
	if isCode(err, NotIndexed) {
		return &StatusResult{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer cache.release()
	status, err := cache.index.Status(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return &StatusResult{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &StatusResult{Indexed: true, Format: status.Format, Coverage: &status.Coverage}, nil
}

// isCode reports whether err is the known failure of a code.
func isCode(err error, code Code) bool {
	var known *Error
	return errors.As(err, &known) && known.Code == code
}

// missing gives a file that is not there the code that it has in the operation at hand.
func missing(err error, code Code) error {
	if _, known := errors.AsType[*source.Failure](err); !known && errors.Is(err, fs.ErrNotExist) {
		return newError(code, "", err)
	}
	return err
}
