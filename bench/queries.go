package bench

// Class is a kind of query that people ask.
type Class struct {
	Name    string
	Queries []string
}

// Classes gives the queries that are asked of a corpus, by its name.
func Classes(corpus string) []Class {
	if corpus == "mixed" {
		return []Class{
			{"rare1", []string{rareWord(7), rareWord(311), rareWord(1024), rareWord(2999), rareWord(3123), rareWord(3998)}},
			{"common1", []string{"index", "query", "result", "file", "line", "term"}},
			{"identifier", []string{"loadIndex", "mergeChunk", "parseTerm", "openStore", "flushPage", "verifyBlock"}},
			{"words", []string{"merge posting list", "cursor of pending budget", "retry timeout of the request", "snapshot and commit lock", "stock reservation by warehouse"}},
			{"chinese", []string{"库存同步", "倒排列表", "事务提交", "读取缓存", "错误重试超时", "词典排名"}},
		}
	}
	return []Class{
		{"rare1", []string{"punycode", "ziggurat", "quopri", "miller", "karatsuba", "adler32", "soundness", "hpack"}},
		{"common1", []string{"error", "string", "bytes", "reader", "test", "context", "length", "buffer"}},
		{"identifier", []string{"ReadFull", "NewReader", "WriteString", "ServeHTTP", "parseRequestLine", "IPv6Addr", "mallocgc", "typeString"}},
		{"words", []string{"parse http request header", "read from closed connection", "decode base64 padding", "format floating point number", "sort a slice in place", "timer channel drained", "certificate verify host name", "compile regular expression"}},
		{"chinese", []string{"世界", "日本語", "你好"}},
	}
}
