// Package provider is the four operations of Project Knowledge (index, status, search, read), bound to one root and one
// cache. It is the only place where verification, work budgets and byte bounds live: every face (plugin, command line,
// MCP server) calls it and adds nothing to what an answer may say.
//
// What it promises: a result holds only bytes that were read and hashed during the call and that every rule of
// eligibility allows at that moment; an error is an [Error] with a stable code and one ASCII sentence without any path
// of the machine; status, search and read write nothing anywhere; a failed index call leaves the published index byte
// for byte as it was.
//
// A [Provider] is safe for concurrent use. It starts no goroutine that outlives a call.
//
//	p, err := provider.Admit(ctx, dir, provider.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	defer p.Close()
//	if _, err := p.Index(ctx, provider.IndexRequest{Mode: provider.Refresh}); err != nil {
//		return err
//	}
//	result, err := p.Search(ctx, provider.SearchRequest{Query: "posting list"})
package provider
