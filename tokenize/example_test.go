package tokenize_test

import (
	"fmt"

	"projectknowledge/tokenize"
)

func ExampleTokenizer_Each() {
	var t tokenize.Tokenizer
	t.Each([]byte("parseHTTPRequest 检查缓存"), func(term []byte) { fmt.Println(string(term)) })
	// Output:
	// parsehttprequest
	// pars
	// http
	// request
	// 检查
	// 查缓
	// 缓存
	// 存
}

func ExampleTokenizer_Query() {
	var t tokenize.Tokenizer
	for _, term := range t.Query("the 锁", 64) {
		fmt.Println(string(term.Term), term.Stop, term.Unit)
	}
	// Output:
	// the true false
	// 锁 false true
}
