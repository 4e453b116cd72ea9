package dumps

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"silvm/ir"
)

// testArg is what a word of a specify_test means: an *ir.Value, *ir.Operand, *ir.Inst, *ir.Block, *ir.Function, bool, uint64 or string.
type testArg any

// functionOf returns the function in which a value, operand, instruction or block is, nil for anything else.
func functionOf(a testArg) *ir.Function {
	var b *ir.Block
	switch a := a.(type) {
	case *ir.Value:
		b = a.Block()
	case *ir.Operand:
		b = a.User().Block()
	case *ir.Inst:
		b = a.Block()
	case *ir.Block:
		b = a
	}
	if b == nil {
		return nil
	}
	return b.Func
}

// subscript takes a word like block[+1] apart; index is "" when there is none.
func subscript(part string) (word, index string, err error) {
	word, rest, has := strings.Cut(part, "[")
	if !has {
		return word, "", nil
	}
	index, ok := strings.CutSuffix(rest, "]")
	if !ok || index == "" {
		return "", "", errors.New("a subscript has no end")
	}
	return word, index, nil
}

func instsOf(blocks ...*ir.Block) []*ir.Inst {
	var list []*ir.Inst
	for _, b := range blocks {
		for i := range b.Insts() {
			list = append(list, i)
		}
	}
	return list
}

// subscriptNumber reads a subscript; none is 0.
func subscriptNumber(index string) (int, error) {
	if index == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(index)
	if err != nil {
		return 0, errors.New("the subscript is no number")
	}
	return n, nil
}

// pick returns the element of that index, the first for "".
func pick[T any](list []T, index string) (testArg, error) {
	n, err := subscriptNumber(index)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(list) {
		return nil, errors.New("there is nothing of that index")
	}
	return list[n], nil
}

// offset returns the element so many places after or before from.
func offset[T comparable](list []T, from T, index string) (testArg, error) {
	n, err := subscriptNumber(index)
	if err != nil {
		return nil, err
	}
	for at, x := range list {
		if x == from && at+n >= 0 && at+n < len(list) {
			return list[at+n], nil
		}
	}
	return nil, errors.New("there is nothing so far away")
}

// take returns the next argument, which must be of the type; a parameter or block argument is a value too.
func take[T any](t *testRun) (T, error) {
	var zero T
	if len(t.args) == 0 {
		return zero, errors.New("an argument is missing")
	}
	a := t.args[0]
	t.args = t.args[1:]
	if x, ok := a.(T); ok {
		return x, nil
	}
	if v, ok := a.(*ir.Value); ok && v.Inst() != nil {
		if x, ok := any(v.Inst()).(T); ok { // the instruction that defines the value
			return x, nil
		}
	}
	if i, ok := a.(*ir.Inst); ok && i.Result() != nil {
		if x, ok := any(i.Result()).(T); ok { // an instruction's only result
			return x, nil
		}
	}
	return zero, errors.New("an argument is of another kind")
}

// testOf is a test whose first argument is of a type.
func testOf[T any](run func(t *testRun, x T) error) func(t *testRun) error {
	return func(t *testRun) error {
		x, err := take[T](t)
		if err != nil {
			return err
		}
		return run(t, x)
	}
}

// parseArg reads a word: true, 7, %name, @instruction[+1].operand[0], @block[1].argument, @function[name].trace or, when it is nothing
// of that kind, a string. A reference without a place before it starts from the instruction after the specify_test.
func (t *testRun) parseArg(w string) (testArg, error) {
	switch {
	case w == "true" || w == "false":
		return w == "true", nil
	case strings.HasPrefix(w, "%"):
		return t.namedValue(w[1:])
	case strings.HasPrefix(w, "@"):
		var at testArg
		for n, part := range strings.Split(w[1:], ".") {
			next, err := t.step(at, n == 0, part)
			if err != nil {
				return nil, err
			}
			at = next
		}
		return at, nil
	}
	if n, err := strconv.ParseUint(w, 10, 64); err == nil {
		return n, nil
	}
	return w, nil
}

func (t *testRun) namedValue(name string) (testArg, error) {
	if n, err := strconv.Atoi(name); err == nil {
		if n >= 0 && n < len(t.f.Numbers) && t.f.Numbers[n] != nil && t.f.Numbers[n].Block() != nil {
			return t.f.Numbers[n], nil
		}
		return nil, errors.New("there is no such value")
	}
	for _, v := range valuesOf(t.f) {
		if v.Name == name {
			return v, nil
		}
	}
	return nil, errors.New("there is no such value")
}

// step follows one word of a reference from at, which counts for nothing when it is the first.
func (t *testRun) step(at testArg, first bool, part string) (testArg, error) {
	word, index, err := subscript(part)
	if err != nil {
		return nil, err
	}
	if word == "function" && first {
		return t.function(index)
	}
	f, inFunction := at.(*ir.Function)
	b, inBlock := at.(*ir.Block)
	if first {
		f = t.f
	}
	switch word {
	case "trace":
		if (first || inFunction) && f == t.f {
			v, err := pick(t.traceValues(), index)
			if err == nil && functionOf(v) == nil {
				err = errors.New("the value is gone")
			}
			return v, err
		}
	case "block":
		if first && (index == "" || strings.ContainsAny(index, "+-")) {
			return offset(f.Blocks, t.context.Block(), index)
		}
		if first || inFunction {
			return pick(f.Blocks, index)
		}
	case "argument":
		switch {
		case first:
			if b = t.context.Block(); b == nil {
				return nil, errors.New("the instruction behind the test is gone")
			}
		case inFunction:
			b = f.Entry()
		case !inBlock:
			return nil, errors.New("silvm cannot follow this reference")
		}
		return pick(b.Args, index)
	case "instruction":
		switch {
		case inBlock:
			return pick(instsOf(b), index)
		case first && (index == "" || strings.ContainsAny(index, "+-")):
			return offset(instsOf(f.Blocks...), t.context, index)
		case first || inFunction:
			return pick(instsOf(f.Blocks...), index)
		}
	case "operand", "result":
		i, ok := at.(*ir.Inst)
		if v, isValue := at.(*ir.Value); isValue && word == "operand" {
			i, ok = v.Inst(), v.Inst() != nil
		}
		switch {
		case !ok:
		case word == "result":
			return pick(i.Results, index)
		default:
			var list []*ir.Operand
			for n := range i.Operands {
				list = append(list, &i.Operands[n])
			}
			return pick(list, index)
		}
	}
	return nil, errors.New("silvm cannot follow this reference")
}

func (t *testRun) function(index string) (testArg, error) {
	if index == "" {
		return t.f, nil
	}
	f := t.c.Module.Funcs[index]
	if n, err := strconv.Atoi(index); f == nil && err == nil {
		if fs := t.c.Module.Functions(); n >= 0 && n < len(fs) {
			f = fs[n]
		}
	}
	if f == nil {
		return nil, fmt.Errorf("there is no function %s", index)
	}
	f.Renumber()
	ir.NewLines(f) // numbers its values
	return f, nil
}

// traceValues lists what the instructions debug_value [trace] are about, and removes them when they are asked for first.
func (t *testRun) traceValues() []*ir.Value {
	if t.traced {
		return t.traces
	}
	t.traced = true
	for _, i := range instsOf(t.f.Blocks...) {
		if isTrace(i) {
			t.traces = append(t.traces, i.Arg(0))
			i.Remove()
		}
	}
	return t.traces
}
