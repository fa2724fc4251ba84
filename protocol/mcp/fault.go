package mcp

import (
	"context"
	"errors"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/pathguard"
)

// admissionCodes are the codes of the provider that this server has no name for: what keeps a registered root from
// being indexed. Every other code is the same for both (P-89, M-45).
var admissionCodes = map[provider.Code]pathguard.Code{
	provider.RootNotWorktree:      pathguard.GitUnavailable,
	provider.RootIsSubdirectory:   pathguard.GitUnavailable,
	provider.RootIsSymlink:        pathguard.ProjectUnavailable,
	provider.RootIsFilesystemRoot: pathguard.ProjectUnavailable,
	provider.RootIsHome:           pathguard.ProjectUnavailable,
	provider.RootUnreadable:       pathguard.ProjectUnavailable,
	provider.HostUnsupported:      pathguard.InternalError,
	provider.FTS5Unavailable:      pathguard.InternalError,
}

// faultOf gives the known error of whatever ended a call. What is not known becomes internal_error; so does nothing that
// a cancelled or late call met on its way out.
func faultOf(ctx context.Context, err error) *pathguard.Error {
	var known *pathguard.Error
	var retrieval *provider.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return pathguard.Fault(pathguard.Cancelled).Because(err)
	case errors.As(err, &known):
		return known
	case errors.As(err, &retrieval):
		return retrievalFault(retrieval)
	case errors.Is(err, context.DeadlineExceeded):
		return pathguard.Fault(pathguard.Timeout).Because(err)
	}
	return pathguard.Fault(pathguard.InternalError).Because(err)
}

// retrievalFault gives the error of the provider in this server's words: the sentence of an argument is the provider's,
// the others speak of the provider's own process.
func retrievalFault(err *provider.Error) *pathguard.Error {
	code, ok := admissionCodes[err.Code]
	switch {
	case err.Code == provider.RootNotWorktree, err.Code == provider.RootIsSubdirectory:
		return pathguard.Errorf(code, "The project's root is not the top of a Git work tree, which an index needs.").Because(err)
	case ok:
		return pathguard.Fault(code).Because(err)
	case err.Code == provider.InvalidArguments:
		return pathguard.Errorf(pathguard.InvalidArguments, "%s", err.Message)
	}
	return pathguard.Fault(pathguard.Code(err.Code)).Because(err)
}
