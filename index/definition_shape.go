package index

// lineShape is a kind of definition that no keyword announces.
type lineShape uint8

const (
	shapeNone         lineShape = iota
	shapeFunction               // type name(…) {   and   type name = value
	shapeKeyed                  // name(…) {   name = (…) =>   name: function
	shapeGlobal                 // name = value at column 0
	shapeConstant               // Name = value, with an upper-case letter first
	shapeMember                 // one TAB, Name [type] = value: a Go group
	shapeEnumerator             // NAME,   Name = value,
	shapeObject                 // Name* = object
	shapeArrow                  // name <- function(…)
	shapeSignature              // name :: type
	shapeEquation               // name(args) = value at column 0
	shapeClause                 // name(…) at column 0
	shapeList                   // (defun name
	shapePreprocessor           // #define NAME
	shapeClosing                // } name;
	shapeSelectors              // - (type)name:(type)argument
	shapeShell                  // name() {
	shapeTarget                 // name: at column 0, several names
	shapeRecipe                 // name arguments: at column 0
	shapeLabel                  // :name
	shapeNameArgument           // name = "value": the value
	shapeColonKey               // key: value
	shapeEqualsKey              // key = value
	shapeQuotedKey              // "key": value
	shapeSection                // [name]
	shapeHash                   // # heading
	shapeEqualSigns             // == heading
	shapeStars                  // ** heading
	shapeDirective              // .. directive:: name
	shapeElement                // <h2>heading</h2>, name="…", id="…"
	shapeStyle                  // .class, #id {   --name:   $name:
	shapeCommonTable            // with name as (
)

// shape emits what the first fitting shape of the language defines.
func (s *statement) shape(emit func([]byte)) {
	for _, shape := range s.g.shapes {
		if s.shaped(shape, emit) {
			return
		}
	}
}

func (s *statement) shaped(shape lineShape, emit func([]byte)) bool {
	switch shape {
	case shapeFunction:
		return s.functionShape(emit)
	case shapeKeyed:
		return s.keyed(emit)
	case shapeGlobal, shapeConstant, shapeMember, shapeEnumerator, shapeArrow:
		return s.bound(shape, emit)
	case shapeObject:
		return s.object(emit)
	case shapeSignature:
		return s.signature(emit)
	case shapeEquation, shapeClause:
		return s.clause(shape, emit)
	case shapeList:
		return s.list(emit)
	case shapePreprocessor:
		return s.preprocessor(emit)
	case shapeClosing:
		return s.closing(emit)
	case shapeSelectors:
		return s.selectors(emit)
	case shapeShell:
		return s.shell(emit)
	case shapeTarget:
		return s.targets(emit)
	case shapeRecipe:
		return s.recipe(emit)
	case shapeLabel:
		return s.label(emit)
	case shapeNameArgument:
		return s.nameArgument(emit)
	case shapeColonKey, shapeEqualsKey, shapeQuotedKey:
		return s.key(shape, emit)
	case shapeSection:
		return s.section(emit)
	case shapeHash:
		return s.heading('#', emit)
	case shapeEqualSigns:
		return s.heading('=', emit)
	case shapeStars:
		return s.heading('*', emit)
	case shapeDirective:
		return s.directive(emit)
	case shapeElement:
		return s.element(emit)
	case shapeStyle:
		return s.style(emit)
	case shapeCommonTable:
		return s.commonTable(emit)
	}
	return false
}
