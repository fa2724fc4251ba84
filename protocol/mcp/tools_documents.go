package mcp

import (
	"context"
	"fmt"

	"projectknowledge/protocol/mcp/document"
)

// documentTools are the tools that create documents (M-53 to M-56). Their descriptions name the limits in force.
func documentTools(limits *Limits) []tool {
	docs := &limits.Documents
	target := filePath("Path of the new document from the project's root: the write directory, then any directories, then a name ending in .md.")
	upload := parameter{
		name: "upload_id", kind: text, required: true, least: 1, most: maxUploadID, description: "ID of the upload, as begin_document gave it.",
	}
	return []tool{
		{
			name: "create_file", title: "Create a document",
			description: fmt.Sprintf("Creates one new Markdown document in the project's write directory, of at most %d bytes in UTF-8. Nothing is ever"+
				" overwritten: a name that exists is refused. For longer documents use begin_document.", docs.WriteBytes),
			writes: true, scope: projectScope,
			parameters: projectParameters(target, content("The whole text of the document.", docs.WriteBytes)),
			result:     document.Receipt{}, run: runCreateFile,
		},
		{
			name: "begin_document", title: "Begin a long document",
			description: fmt.Sprintf("Begins a new Markdown document that is sent in chunks: at most %d bytes in %d chunks, finished within %d seconds."+
				" Send the chunks with write_chunk, then call finish_document; until then nothing appears in the project. At most %d uploads may be unfinished.",
				docs.DocumentBytes, docs.Chunks, int(docs.TTL.Seconds()), docs.Uploads),
			writes: true, scope: projectScope,
			parameters: projectParameters(target), result: document.BeginResult{}, run: runBeginDocument,
		},
		{
			name: "write_chunk", title: "Send a chunk of a document",
			description: fmt.Sprintf("Sends one chunk of a document, of at most %d bytes in UTF-8, in any order. Sending the same chunk again changes nothing;"+
				" other content for a chunk that was sent is refused.", docs.ChunkBytes),
			writes: true, repeatable: true, scope: projectScope,
			parameters: projectParameters(upload,
				parameter{
					name: "index", kind: integer, required: true, most: offset.most,
					description: fmt.Sprintf("Place of the chunk in the document, from 0 to %d.", docs.Chunks-1),
				},
				content("The text of the chunk; nothing is added between chunks.", docs.ChunkBytes)),
			result: document.ChunkResult{}, run: runWriteChunk,
		},
		{
			name: "finish_document", title: "Finish a long document",
			description: "Joins the chunks of an upload in the order of their indices and creates the document. When it is refused, the upload stays and" +
				" can be completed. Repeating it gives the same receipt.",
			writes: true, repeatable: true, scope: projectScope,
			parameters: projectParameters(upload, parameter{
				name: "total_chunks", kind: integer, required: true, least: 1, most: offset.most,
				description: "How many chunks the document has; their indices are 0 to total_chunks - 1.",
			}),
			result: document.FinishResult{}, run: runFinishDocument,
		},
	}
}

// maxUploadID bounds what can be an upload's ID at all.
const maxUploadID = 128

func runCreateFile(ctx context.Context, c *call) (any, error) {
	store, err := c.server.documents()
	if err != nil {
		return nil, err
	}
	return result(store.CreateFile(ctx, document.CreateArgs{ProjectID: c.scope.ID, Path: c.args.text("path"), Content: c.args.text("content")}))
}

func runBeginDocument(ctx context.Context, c *call) (any, error) {
	store, err := c.server.documents()
	if err != nil {
		return nil, err
	}
	return result(store.Begin(ctx, document.BeginArgs{ProjectID: c.scope.ID, Path: c.args.text("path")}))
}

func runWriteChunk(ctx context.Context, c *call) (any, error) {
	store, err := c.server.documents()
	if err != nil {
		return nil, err
	}
	return result(store.WriteChunk(ctx, document.ChunkArgs{
		ProjectID: c.scope.ID, UploadID: c.args.text("upload_id"), Index: c.args.integer("index"), Content: c.args.text("content"),
	}))
}

func runFinishDocument(ctx context.Context, c *call) (any, error) {
	store, err := c.server.documents()
	if err != nil {
		return nil, err
	}
	return result(store.Finish(ctx, document.FinishArgs{
		ProjectID: c.scope.ID, UploadID: c.args.text("upload_id"), TotalChunks: c.args.integer("total_chunks"),
	}))
}
