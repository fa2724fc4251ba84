package tokenize

// Stem reduces an English word, in small ASCII letters, to its stem by the algorithm of M. F. Porter, "An algorithm
// for suffix stripping", Program 14 (1980), as published: ABLI, not BLI, and no rule for LOGI. Words of one or two
// letters stay as they are. It works in place and returns a prefix of word, never an empty one. Cost: linear.
//
// In the comments m is Porter's measure: how often vowels are followed by consonants.
func Stem(word []byte) []byte {
	if len(word) < 3 {
		return word
	}
	switch word[len(word)-1] {
	case 's':
		word = stripPlural(word)
		word = stripPast(word)
	case 'd', 'g':
		word = stripPast(word)
	}
	last := len(word) - 1
	if word[last] == 'y' && hasVowel(word[:last]) {
		word[last] = 'i' // step 1c
	}
	word = replaceDouble(word)
	word = replaceDerived(word)
	word = stripDerived(word)
	return stripFinal(word)
}

// stripPlural is step 1a. The word ends in s.
func stripPlural(word []byte) []byte {
	n := len(word)
	switch {
	case hasSuffix(word, "sses"), hasSuffix(word, "ies"):
		return word[:n-2]
	case hasSuffix(word, "ss"):
		return word
	}
	return word[:n-1]
}

// stripPast is step 1b.
func stripPast(word []byte) []byte {
	n := len(word)
	switch {
	case hasSuffix(word, "eed"):
		if measure(word[:n-3]) > 0 {
			return word[:n-1]
		}
		return word
	case hasSuffix(word, "ed") && hasVowel(word[:n-2]):
		return restoreEnd(word[:n-2])
	case hasSuffix(word, "ing") && hasVowel(word[:n-3]):
		return restoreEnd(word[:n-3])
	}
	return word
}

// restoreEnd mends a stem that lost -ed or -ing: conflat(ed) to conflate, hopp(ing) to hop, fil(ing) to file.
func restoreEnd(stem []byte) []byte {
	n := len(stem)
	switch {
	case hasSuffix(stem, "at"), hasSuffix(stem, "bl"), hasSuffix(stem, "iz"):
		return append(stem, 'e')
	case endsDouble(stem):
		if c := stem[n-1]; c != 'l' && c != 's' && c != 'z' {
			return stem[:n-1]
		}
	case endsShort(stem) && measure(stem) == 1:
		return append(stem, 'e')
	}
	return stem
}

// suffixRule replaces a suffix when what is before it has a measure above zero.
type suffixRule struct{ suffix, stem string }

// doubleRules are step 2, by the last letter but one. Only the longest suffix that fits is tried, so that a longer
// one stands before a shorter one that it ends in.
var doubleRules = [...][]suffixRule{
	0:         {{"ational", "ate"}, {"tional", "tion"}},
	'c' - 'a': {{"enci", "ence"}, {"anci", "ance"}},
	'e' - 'a': {{"izer", "ize"}},
	'l' - 'a': {{"abli", "able"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}},
	'o' - 'a': {{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}},
	's' - 'a': {{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}},
	't' - 'a': {{"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}},
	'z' - 'a': nil,
}

// derivedRules are step 3, by the last letter.
var derivedRules = [...][]suffixRule{
	'e' - 'a': {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}},
	'i' - 'a': {{"iciti", "ic"}},
	'l' - 'a': {{"ical", "ic"}, {"ful", ""}},
	's' - 'a': {{"ness", ""}},
	'z' - 'a': nil,
}

// replaceDouble is step 2.
func replaceDouble(word []byte) []byte {
	if len(word) < 4 {
		return word
	}
	switch word[len(word)-1] {
	case 'i', 'l', 'm', 'n', 'r', 's':
		return replaceSuffix(word, doubleRules[:], word[len(word)-2])
	}
	return word
}

// replaceDerived is step 3.
func replaceDerived(word []byte) []byte {
	return replaceSuffix(word, derivedRules[:], word[len(word)-1])
}

func replaceSuffix(word []byte, rules [][]suffixRule, key byte) []byte {
	if key < 'a' || key > 'z' {
		return word
	}
	for _, rule := range rules[key-'a'] {
		if !hasSuffix(word, rule.suffix) {
			continue
		}
		stem := word[:len(word)-len(rule.suffix)]
		if measure(stem) > 0 {
			return append(stem, rule.stem...)
		}
		return word
	}
	return word
}

// residualSuffixes are step 4, by the last letter but one.
var residualSuffixes = [...][]string{
	0:         {"al"},
	'c' - 'a': {"ance", "ence"},
	'e' - 'a': {"er"},
	'i' - 'a': {"ic"},
	'l' - 'a': {"able", "ible"},
	'n' - 'a': {"ant", "ement", "ment", "ent"},
	'o' - 'a': {"ion", "ou"},
	's' - 'a': {"ism"},
	't' - 'a': {"ate", "iti"},
	'u' - 'a': {"ous"},
	'v' - 'a': {"ive"},
	'z' - 'a': {"ize"},
}

// stripDerived is step 4: the suffix goes when m > 1, and -ion only behind s or t.
func stripDerived(word []byte) []byte {
	n := len(word)
	if n < 3 || word[n-2] < 'a' || word[n-2] > 'z' {
		return word
	}
	for _, suffix := range residualSuffixes[word[n-2]-'a'] {
		if !hasSuffix(word, suffix) {
			continue
		}
		stem := word[:n-len(suffix)]
		if suffix == "ion" && !hasSuffix(stem, "s") && !hasSuffix(stem, "t") {
			return word
		}
		if measure(stem) > 1 {
			return stem
		}
		return word
	}
	return word
}

// stripFinal is step 5: a final e goes, then one l of two.
func stripFinal(word []byte) []byte {
	if n := len(word); word[n-1] == 'e' {
		stem := word[:n-1]
		if m := measure(stem); m > 1 || m == 1 && !endsShort(stem) {
			word = stem
		}
	}
	if n := len(word); word[n-1] == 'l' && endsDouble(word) && measure(word) > 1 {
		word = word[:n-1]
	}
	return word
}

func hasSuffix(word []byte, suffix string) bool {
	return len(word) >= len(suffix) && string(word[len(word)-len(suffix):]) == suffix
}

// isVowel says what word[i] is, given whether the letter before it is a vowel: y is one behind a consonant.
func isVowel(c byte, afterVowel, first bool) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return !first && !afterVowel
	}
	return false
}

func hasVowel(word []byte) bool {
	for i, c := range word {
		if isVowel(c, false, i == 0) {
			return true
		}
	}
	return false
}

func measure(word []byte) int {
	m, vowel := 0, false
	for i, c := range word {
		was := vowel
		vowel = isVowel(c, was, i == 0)
		if was && !vowel {
			m++
		}
	}
	return m
}

// endsDouble reports whether word ends in two equal consonants.
func endsDouble(word []byte) bool {
	n := len(word)
	return n >= 2 && word[n-1] == word[n-2] && !vowelAt(word, n-1)
}

// endsShort reports whether word ends consonant, vowel, consonant, the last not w, x or y (*o in the paper).
func endsShort(word []byte) bool {
	n := len(word)
	if n < 3 || word[n-1] == 'w' || word[n-1] == 'x' || word[n-1] == 'y' {
		return false
	}
	return !vowelAt(word, n-1) && vowelAt(word, n-2) && !vowelAt(word, n-3)
}

// vowelAt reports whether word[i] is a vowel. A row of y alternates from its beginning on.
func vowelAt(word []byte, i int) bool {
	first := i
	for first > 0 && word[first] == 'y' {
		first--
	}
	vowel := isVowel(word[first], false, first == 0)
	for first++; first <= i; first++ {
		vowel = isVowel(word[first], vowel, false)
	}
	return vowel
}
