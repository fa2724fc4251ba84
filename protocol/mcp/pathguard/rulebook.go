package pathguard

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
)

// Names and bounds of the ignore files in the configuration directory (M-39).
const (
	DefaultIgnoreFile   = "default.mcpignore"
	ProjectIgnoreDir    = "project_ignores"
	ProjectIgnoreSuffix = ".mcpignore"

	maxIgnoreBytes = 256 << 10
)

// BuiltinIgnores is the text of the built-in list, in the syntax of an ignore file. ".git" has no slash at its end on
// purpose: in a linked work tree it is a file, and that file holds a path of the machine.
const BuiltinIgnores = `.git
.hg/
.svn/
.venv/
venv/
env/
.conda/
node_modules/
__pycache__/
.mypy_cache/
.pytest_cache/
.ruff_cache/
.tox/
.nox/
.cache/
.ipynb_checkpoints/
.idea/
*.pyc
*.pyo
*.pt
*.pth
*.ckpt
*.safetensors
*.onnx
*.gguf
*.h5
*.hdf5
*.npy
*.npz
*.pkl
*.pickle
*.joblib
*.parquet
*.tfrecord
`

var builtinRules = sync.OnceValue(func() *Rules { return ParseRules([]byte(BuiltinIgnores)) })

// BuiltinRules gives the rules that hold when the configuration directory has no default list.
func BuiltinRules() *Rules { return builtinRules() }

// ParseRules compiles the text of one or several ignore files, later lines over earlier ones. There is no invalid text:
// as with Git, a malformed pattern fits nothing.
func ParseRules(texts ...[]byte) *Rules {
	rules := new(Rules)
	for _, text := range texts {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		for line := range strings.SplitSeq(string(text), "\n") {
			if p, ok := parsePattern(strings.TrimSuffix(line, "\r")); ok {
				rules.patterns = append(rules.patterns, p)
			}
		}
	}
	rules.index()
	return rules
}

// A RuleBook holds the ignore rules of one configuration directory and reads a file again when its signature changes.
// Safe for concurrent use.
type RuleBook struct {
	configDir string
	mu        sync.Mutex
	texts     map[string]*watchedText // by file name below configDir
	compiled  map[string]compiledRules
}

type watchedText struct {
	signature Signature
	text      []byte
	version   int
}

type compiledRules struct {
	base, own int // versions of the texts
	rules     *Rules
}

// NewRuleBook reads nothing yet. An empty configDir means that only the built-in rules hold.
func NewRuleBook(configDir string) *RuleBook {
	return &RuleBook{
		configDir: configDir,
		texts:     make(map[string]*watchedText),
		compiled:  make(map[string]compiledRules),
	}
}

// Rules gives the rules of a project as the files are now; projectID "" means a grant, which has the default list only.
// An ignore file that exists and cannot be read closes the project: registry_invalid.
func (b *RuleBook) Rules(projectID string) (*Rules, error) {
	if b.configDir == "" {
		return BuiltinRules(), nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	base, err := b.current(DefaultIgnoreFile)
	if err != nil {
		return nil, err
	}
	own := new(watchedText)
	if projectID != "" {
		if own, err = b.current(filepath.Join(ProjectIgnoreDir, projectID+ProjectIgnoreSuffix)); err != nil {
			return nil, err
		}
	}
	if projectID != "" && len(own.text) == 0 { // most projects have no list of their own and share one
		delete(b.compiled, projectID)
		projectID, own = "", new(watchedText)
	}
	if known, ok := b.compiled[projectID]; ok && known.base == base.version && known.own == own.version {
		return known.rules, nil
	}
	text := base.text
	if base.signature == (Signature{}) {
		text = []byte(BuiltinIgnores)
	}
	rules := ParseRules(text, own.text)
	b.compiled[projectID] = compiledRules{base: base.version, own: own.version, rules: rules}
	return rules, nil
}

// current gives a file's text, read again when the file is another than the one that was read.
func (b *RuleBook) current(name string) (*watchedText, error) {
	known := b.texts[name]
	if known == nil {
		known = new(watchedText)
		b.texts[name] = known
	}
	path := filepath.Join(b.configDir, name)
	signature, err := SignatureOf(path)
	if err == nil && signature == known.signature && signature.Settled() {
		return known, nil
	}
	if err == nil && signature != (Signature{}) {
		var text []byte
		if text, signature, err = ReadWatched(path, maxIgnoreBytes); err == nil {
			known.replace(text, signature)
			return known, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil {
		known.replace(nil, Signature{})
		return known, nil
	}
	known.replace(nil, Signature{})
	return nil, Errorf(RegistryInvalid, "An ignore file of the configuration cannot be read; the administrator has to correct it.").Because(err)
}

func (w *watchedText) replace(text []byte, signature Signature) {
	if signature != w.signature || !bytes.Equal(text, w.text) {
		w.version++
	}
	w.text, w.signature = text, signature
}
