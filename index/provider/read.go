package provider

import (
	"context"
	"crypto/sha256"
	"math"
	"strings"
	"unicode/utf8"

	"projectknowledge/index"
	"projectknowledge/index/source"
)

// Read gives lines of a source whose complete current bytes have the hash of the request (P-77 to P-83). It needs no
// index. The order of its checks is the order of P-77: arguments, path form, root, eligibility and content, hash, range.
func (p *Provider) Read(ctx context.Context, req ReadRequest) (*ReadResult, error) {
	return serve(p, "read", func() (*ReadResult, error) { return p.read(ctx, req) })
}

func (p *Provider) read(ctx context.Context, req ReadRequest) (*ReadResult, error) {
	if err := checkReadArguments(&req); err != nil {
		return nil, err
	}
	if source.ValidPath(req.Path) != "" {
		return nil, newError(InvalidPath, "", nil)
	}
	ctx, cancel := within(ctx, p.opt.SearchBudget)
	defer cancel()
	if err := p.root.Check(ctx); err != nil {
		return nil, err
	}
	seen, err := p.root.Observe(ctx)
	if err != nil {
		return nil, err
	}
	buffer := p.buffers.take()
	defer p.buffers.give(buffer)
	text, err := p.readSource(seen, req.Path, buffer)
	if err != nil {
		return nil, err
	}
	if hexHash(sha256.Sum256(text)) != req.SourceHash {
		return nil, newError(SourceChanged, "", nil)
	}
	return p.cutRead(req, text, revisionOf(seen))
}

// readSource gives the current bytes of an eligible source that passes every content rule. Which rule refused the path,
// or whether it exists, is not told (P-78).
func (p *Provider) readSource(seen *source.Observation, path string, buffer *buffer) ([]byte, error) {
	if !seen.Eligible(path) {
		return nil, newError(SourceUnavailable, "", nil)
	}
	text, err := p.root.Read(path, buffer.bytes)
	if err == nil {
		buffer.keep(text)
		err = source.Admit(path, text)
	}
	if isRefusal(err) {
		return nil, newError(SourceUnavailable, "", err)
	}
	return text, err
}

// checkReadArguments fills in the defaults and refuses what is out of range (P-79, P-82).
func checkReadArguments(req *ReadRequest) error {
	if req.Path == "" || utf8.RuneCountInString(req.Path) > MaxArgument {
		return newError(InvalidArguments, "path must have 1 to 1024 characters.", nil)
	}
	if !isHash(req.SourceHash) {
		return newError(InvalidArguments, "source_hash must be 64 lower-case hexadecimal digits.", nil)
	}
	if req.StartLine == 0 {
		req.StartLine = 1
	}
	if req.EndLine == 0 && req.StartLine > 0 {
		req.EndLine = req.StartLine + min(DefaultReadLines-1, math.MaxInt-req.StartLine)
	}
	if req.StartLine < 1 || req.EndLine < req.StartLine {
		return newError(InvalidArguments, "start_line must be at least 1 and end_line at least start_line.", nil)
	}
	return nil
}

// isHash reports whether s is a SHA-256 in lower-case hexadecimal digits.
func isHash(s string) bool {
	if len(s) != HashDigits {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// cutRead cuts the asked-for lines from text, down to the bounds of lines and bytes (P-79 to P-81).
func (p *Provider) cutRead(req ReadRequest, text []byte, revision *string) (*ReadResult, error) {
	total := index.LineCount(text)
	if req.StartLine > total {
		return nil, newError(InvalidRange, "", nil)
	}
	asked := min(req.EndLine, total)
	end := min(asked, req.StartLine+MaxReadLines-1)
	excerpt, ok := index.Excerpt(text, req.StartLine, end)
	if !ok {
		return nil, newError(InvalidRange, "", nil)
	}
	result := &ReadResult{
		Path: req.Path, StartLine: req.StartLine, EndLine: end, Text: excerpt, SourceHash: req.SourceHash,
		ObservedRevision: revision, TotalLines: total, Truncated: end < asked,
	}
	if p.opt.ResultBytes > 0 && !result.fit(asked, p.opt.ResultBytes) {
		return nil, newError(LineTooLarge, "", nil)
	}
	return result, nil
}

// fit cuts complete lines from the end until the result takes at most bound bytes; asked is the last line that a result
// without bounds would have. It reports false when not even the first line fits.
func (r *ReadResult) fit(asked, bound int) bool {
	size, kept := 0, -1
	lines := strings.Split(r.Text, "\n")
	for i, line := range lines {
		size += jsonSize(line)
		if i > 0 {
			size += newlineSize
		}
		r.EndLine = r.StartLine + i
		r.Truncated = r.EndLine < asked
		if r.frameSize()+size > bound {
			break
		}
		kept = i
	}
	if kept < 0 {
		return false
	}
	r.EndLine = r.StartLine + kept
	r.Truncated = r.EndLine < asked
	r.Text = strings.Join(lines[:kept+1], "\n")
	return true
}
