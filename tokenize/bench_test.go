package tokenize

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goSource is Go source of the standard library, for figures that compare with those of other machines.
func goSource(b *testing.B) []byte {
	b.Helper()
	var text []byte
	for _, dir := range []string{"net/http", "go/types", "encoding/json"} {
		files, err := filepath.Glob(filepath.Join(toolchain(b), "src", dir, "*.go"))
		if err != nil {
			b.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			text = append(text, content...)
		}
	}
	if len(text) == 0 {
		b.Skip("this Go installation has no source")
	}
	return text
}

var prose = []struct{ name, text string }{
	{"chinese", "系统会先检查缓存，再访问数据库；如果缓存失效，就重新建立索引。分布式锁的实现见第3章，使用Redis客户端。\n"},
	{"japanese", "キャッシュが無効になると、インデックスを再構築します。テスト結果は次のとおりです。\n"},
	{"korean", "캐시가 무효화되면 색인을 다시 만듭니다. 분산 잠금의 구현은 다음 장을 보십시오.\n"},
	{"russian", "Если кэш устарел, индекс строится заново; ещё раз о блокировках сказано в третьей главе.\n"},
	{"german", "Ist der Zwischenspeicher veraltet, wird das Verzeichnis für größere Bäume neu aufgebaut.\n"},
	{"thai", "ระบบจะตรวจสอบแคชก่อนแล้วจึงเข้าถึงฐานข้อมูล\n"},
	{"arabic", "إذا انتهت صلاحية ذاكرة التخزين المؤقت يعاد بناء الفهرس من جديد.\n"},
	{"hindi", "यदि कैश पुराना हो जाए तो अनुक्रमणिका फिर से बनाई जाती है।\n"},
}

func BenchmarkScannerGoSource(b *testing.B) {
	text := goSource(b)
	var s Scanner
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Reset(text)
		for s.Next() != nil {
		}
	}
}

func BenchmarkEachGoSource(b *testing.B) { benchmarkEach(b, goSource(b)) }

func BenchmarkEachProse(b *testing.B) {
	for _, p := range prose {
		b.Run(p.name, func(b *testing.B) { benchmarkEach(b, []byte(strings.Repeat(p.text, 1000))) })
	}
}

func benchmarkEach(b *testing.B, text []byte) {
	var tokenizer Tokenizer
	terms := 0
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		terms = 0
		tokenizer.Each(text, func([]byte) { terms++ })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(terms), "ns/term")
}

func BenchmarkQuery(b *testing.B) {
	var tokenizer Tokenizer
	b.ReportAllocs()
	for b.Loop() {
		tokenizer.Query("where is parseHTTPRequest called, 缓存失效", 64)
	}
}

// toolchain gives the directory of the running Go installation.
func toolchain(b *testing.B) string {
	b.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(string(root))
}
