package plugin

import "projectknowledge/index/provider"

// Bounds of the wire, each in one place. Sizes are in bytes.
const (
	// maxLine bounds one request line without its terminator; a longer one is skipped unread.
	maxLine = 1 << 20
	// maxDepth bounds the nesting of a request. The Runner itself sends at most 16 levels of arguments.
	maxDepth = 128
	// maxResult bounds the result member of an answer to tools/call as it is written (P-75, P-94).
	maxResult = provider.MaxResultBytes
	// maxCaption bounds the text item of a result as it is written, that is with JSON escapes (P-92 allows 1,024 plain).
	maxCaption = 256
	// resultFrame is what a result costs beside its caption and its structured content.
	resultFrame = len(`{"content":[{"type":"text","text":""}],"structuredContent":,"isError":false}`)
	// maxStructured is what is left of a result for structuredContent.
	maxStructured = maxResult - maxCaption - resultFrame
	// maxAdmission bounds the message of a refused initialize, its code included (P-4).
	maxAdmission = provider.MaxMessageBytes
	// maxDiagnostic bounds a line on the diagnostic stream; the Runner keeps 1,024 bytes of one.
	maxDiagnostic = 512
	// captionPaths is how many hits a caption names.
	captionPaths = 3
)

// The codes of JSON-RPC errors (webcodex-plugin-v1, section 9).
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeAdmission      = -32000
	codeNotInitialized = -32002
)
