package files

// expandBraces gives the plain patterns that a pattern with braces stands for, in the order in which they are written.
// Their number is bounded, and so is the work: every round replaces the first braces of one text.
func expandBraces(pattern string) ([]string, error) {
	texts := []string{pattern}
	for i := 0; i < len(texts); {
		open, commas, closing, err := firstBraces(texts[i])
		if err != nil {
			return nil, err
		}
		if open < 0 {
			i++
			continue
		}
		text := texts[i]
		if len(texts)+len(commas) > maxAlternatives {
			return nil, invalidGlob("its braces stand for too many patterns.")
		}
		choices := make([]string, 0, len(texts)+len(commas))
		choices = append(choices, texts[:i]...)
		from := open + 1
		for _, to := range append(commas, closing) {
			choices = append(choices, text[:open]+text[from:to]+text[closing+1:])
			from = to + 1
		}
		texts = append(choices, texts[i+1:]...)
	}
	return texts, nil
}

// firstBraces finds the first opening brace outside a class, the commas of its own level and its closing brace. open is
// -1 when there are no braces; a closing brace alone stands for itself.
func firstBraces(text string) (open int, commas []int, closing int, err error) {
	open = -1
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			end := classEnd(text[i:])
			if end < 0 {
				return 0, nil, 0, invalidGlob("a '[' has no ']'.")
			}
			i += end - 1
		case c == '{':
			if depth == 0 {
				open = i
			}
			depth++
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}' && depth > 0:
			depth--
			if depth == 0 {
				return open, commas, i, nil
			}
		}
	}
	if depth > 0 {
		return 0, nil, 0, invalidGlob("a '{' has no '}'.")
	}
	return -1, nil, 0, nil
}
