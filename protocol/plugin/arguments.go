package plugin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"projectknowledge/index/provider"
)

// The kinds of a parameter, spelled as in a schema.
const (
	kindString  = "string"
	kindInteger = "integer"
)

// parameter is one argument of a tool: what its schema says, and the range that a schema of the profile cannot say.
type parameter struct {
	name, kind, description string
	required                bool
	enum                    []string // strings only
	minLength, maxLength    int      // strings only, in Unicode scalar values; maxLength 0 means unbounded
	min, max                int      // integers only; max 0 means unbounded
}

// arguments are the checked values of a call. A parameter that the call leaves out is in neither map.
type arguments struct {
	strings  map[string]string
	integers map[string]int
}

// decodeArguments checks the members of a call's arguments against the table (P-9, P-10, P-11). Every refusal is
// invalid_arguments with a sentence that names the argument of ours that is at fault, never the words of the caller.
func decodeArguments(parameters []parameter, members map[string]json.RawMessage) (arguments, error) {
	args := arguments{map[string]string{}, map[string]int{}}
	known := 0
	for _, p := range parameters {
		raw, present := members[p.name]
		if !present {
			if p.required {
				return args, invalidArgument(p, "is required")
			}
			continue
		}
		known++
		if err := args.set(p, raw); err != nil {
			return args, err
		}
	}
	if known < len(members) {
		return args, provider.NewError(provider.InvalidArguments, "The call has an argument that this tool does not take.")
	}
	return args, nil
}

func (a arguments) set(p parameter, raw json.RawMessage) error {
	if p.kind == kindInteger {
		value, err := p.integer(raw)
		a.integers[p.name] = value
		return err
	}
	value, err := p.string(raw)
	a.strings[p.name] = value
	return err
}

func (p parameter) integer(raw json.RawMessage) (int, error) {
	if !integral(raw) {
		return 0, invalidArgument(p, "must be an integer without fraction or exponent")
	}
	value, err := strconv.Atoi(string(raw))
	if err != nil || value < p.min || p.max > 0 && value > p.max {
		return 0, invalidArgument(p, p.rangeRule())
	}
	return value, nil
}

func (p parameter) rangeRule() string {
	if p.max > 0 {
		return fmt.Sprintf("must be from %d to %d", p.min, p.max)
	}
	return fmt.Sprintf("must be an integer from %d", p.min)
}

func (p parameter) string(raw json.RawMessage) (string, error) {
	value, ok := text(raw)
	if !ok {
		return "", invalidArgument(p, "must be a string of Unicode text")
	}
	if p.enum != nil && !slices.Contains(p.enum, value) {
		return "", invalidArgument(p, "must be "+strings.Join(p.enum, " or "))
	}
	length := utf8.RuneCountInString(value)
	if length < p.minLength || p.maxLength > 0 && length > p.maxLength {
		return "", invalidArgument(p, p.lengthRule())
	}
	return value, nil
}

func (p parameter) lengthRule() string {
	if p.minLength == p.maxLength {
		return fmt.Sprintf("must have %d characters", p.maxLength)
	}
	return fmt.Sprintf("must have %d to %d characters", p.minLength, p.maxLength)
}

func invalidArgument(p parameter, rule string) error {
	return provider.NewError(provider.InvalidArguments, "The argument "+p.name+" "+rule+".")
}
