package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"
)

// The vocabulary of the generated corpus. Words are drawn by a Zipf law, so
// that a few are in nearly every document and most are rare, as in real text.
var (
	chineseWords = strings.Fields(`我们 系统 可以 使用 进行 数据 文件 索引 查询 结果 需要 通过 如果 一个 服务 订单 库存 同步 缓存 日志
		配置 部署 接口 请求 返回 错误 处理 用户 事件 消息 队列 线程 内存 磁盘 网络 连接 超时 重试 版本 更新 删除 写入 读取 事务 提交
		回滚 快照 分片 倒排 列表 词典 排名 分数 字段 路径 目录 仓库 分支 合并 冲突 测试 性能 延迟 吞吐 压缩 校验 摘要 加密 权限 审计
		监控 告警 指标 采样 调度 任务 批次 窗口 游标 分页 过滤 排序 聚合 统计 估计 阈值 参数 默认 限制 边界 异常 恢复 备份 迁移 兼容
		协议 编码 解码 序列 字节 字符 单词 句子 段落 标题 章节 附录 示例 说明 注意 建议 禁止 必须 允许 拒绝 匹配 替换 插入 追加`)
	englishWords = strings.Fields(`the of and to a in is it for that with as are on by this from be or an at not when which index
		query result file line chunk term posting list store page block value field score rank merge build refresh snapshot commit
		writer reader lock cursor pending budget limit error retry timeout request response server client cache lexeme parser buffer
		stream channel worker queue batch event order stock invoice payment customer shipment warehouse reservation schedule metric
		alert trace sample threshold window filter sort group estimate boundary recovery backup migration protocol encoding checksum
		digest permission audit directory branch conflict release version archive fragment segment iterator allocator scheduler
		dispatcher registry resolver validator formatter tokenizer compressor heartbeat watermark tombstone bloom quorum lease epoch`)
	identifierVerbs = strings.Fields("get set load save open close find list count merge parse format encode decode apply reset flush verify")
)

const (
	mixedDocuments = 1200
	mixedSeed      = 20240514
)

// writer draws text; equal seeds draw equal text.
type writer struct {
	*rand.Rand
	chinese, english *rand.Zipf
	out              strings.Builder
}

// Mixed is a generated corpus: a third Chinese prose, a third English prose, a
// third code with comments in both. It is the same on every machine.
func Mixed() (*Corpus, error) {
	w := &writer{Rand: rand.New(rand.NewPCG(mixedSeed, 1))}
	w.chinese = rand.NewZipf(w.Rand, 1.15, 4, uint64(len(chineseWords)-1))
	w.english = rand.NewZipf(w.Rand, 1.15, 4, uint64(len(englishWords)-1))
	files := make(fstest.MapFS, mixedDocuments)
	for i := range mixedDocuments {
		w.out.Reset()
		name := ""
		switch i % 3 {
		case 0:
			name = fmt.Sprintf("docs/zh/%s%s/%04d.md", w.chineseWord(), w.chineseWord(), i)
			w.prose(w.chineseSentence)
		case 1:
			name = fmt.Sprintf("docs/en/%s/%s_%04d.md", w.englishWord(), w.englishWord(), i)
			w.prose(w.englishSentence)
		case 2:
			name = fmt.Sprintf("src/%s/%s_%04d.go", w.englishWord(), w.englishWord(), i)
			w.code()
		}
		files[name] = &fstest.MapFile{Data: []byte(w.out.String())}
	}
	return newCorpus("mixed", files)
}

func (w *writer) chineseWord() string { return chineseWords[w.chinese.Uint64()] }
func (w *writer) englishWord() string { return englishWords[w.english.Uint64()] }

// rareWords is how many words there are that only a handful of documents hold.
const rareWords = 4000

// rareWord gives the i-th of the rare words: three syllables without meaning,
// different for every i.
func rareWord(i int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var word []byte
	for range 3 {
		word = append(word, consonants[i%len(consonants)])
		i /= len(consonants)
		word = append(word, vowels[i%len(vowels)])
		i /= len(vowels)
	}
	return string(word)
}

// name gives an identifier with a rare part.
func (w *writer) name() string {
	verb := identifierVerbs[w.IntN(len(identifierVerbs))]
	return capital(verb) + capital(w.englishWord()) + capital(rareWord(w.IntN(rareWords)))
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// prose writes headings and paragraphs of sentences.
func (w *writer) prose(sentence func()) {
	for range 4 + w.IntN(6) {
		w.out.WriteString("## ")
		sentence()
		w.out.WriteString("\n\n")
		for range 3 + w.IntN(8) {
			sentence()
			w.out.WriteByte('\n')
		}
		w.out.WriteByte('\n')
	}
}

func (w *writer) chineseSentence() {
	for i := range 5 + w.IntN(14) {
		if i > 0 && w.IntN(6) == 0 {
			w.out.WriteString(",")
		}
		if w.IntN(40) == 0 {
			w.out.WriteString(" " + w.name() + " ")
		}
		w.out.WriteString(w.chineseWord())
	}
	w.out.WriteString("。")
}

func (w *writer) englishSentence() {
	for i := range 6 + w.IntN(14) {
		if i > 0 {
			w.out.WriteByte(' ')
		}
		if w.IntN(40) == 0 {
			w.out.WriteString(rareWord(w.IntN(rareWords)))
			continue
		}
		w.out.WriteString(w.englishWord())
	}
	w.out.WriteByte('.')
}

// code writes functions with a comment each.
func (w *writer) code() {
	fmt.Fprintf(&w.out, "package %s\n", w.englishWord())
	for range 8 + w.IntN(10) {
		name := w.name()
		w.out.WriteString("\n// " + name + " ")
		if w.IntN(2) == 0 {
			w.chineseSentence()
		} else {
			w.englishSentence()
		}
		fmt.Fprintf(&w.out, "\nfunc %s(%s int, %s string) error {\n", name, w.englishWord(), w.englishWord())
		for range 3 + w.IntN(7) {
			verb := identifierVerbs[w.IntN(len(identifierVerbs))]
			fmt.Fprintf(&w.out, "\t%s := %s%s(%s.%s, %d)\n", w.englishWord(), verb, capital(w.englishWord()), w.englishWord(), w.englishWord(), w.IntN(100))
		}
		w.out.WriteString("\treturn nil\n}\n")
	}
}
