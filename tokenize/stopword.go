package tokenize

import (
	"strings"
	"sync"
)

// stopWords are English words too frequent to tell one text from another, and what an apostrophe leaves of them.
var stopWords = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(`
		a about above after again against all also am an and any are as at be because been before being below
		between both but by can could did do does doing down during each either few for from further had has have
		having he her here hers herself him himself his how however i if in into is it its itself just me more most
		my myself no nor not of off on once only or other ought our ours ourselves out over own same shall she
		should so some such than that the their theirs them themselves then there these they this those through to
		too under until up upon us very was we were what when where whether which while who whom whose why will
		with would you your yours yourself yourselves
		d ll m s t ve don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
	`) {
		words[word] = true
	}
	return words
})

// StopWord reports whether word, in small letters and not yet stemmed, is an English stop word.
func StopWord(word []byte) bool { return stopWords()[string(word)] }
