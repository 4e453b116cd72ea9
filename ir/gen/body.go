package gen

import (
	"fmt"
	"strings"
)

// statement is something that a function may do; it does something else when there is nothing to do it with.
type statement struct {
	weight int
	write  func(f *fn)
	deep   bool // has statements of its own
}

var statements []statement

func init() {
	statements = []statement{
		{6, (*fn).doShow, false},
		{4, (*fn).doMake, false},
		{3, (*fn).doCopy, false},
		{4, (*fn).doDrop, false},
		{6, (*fn).doField, false},
		{3, (*fn).doExchange, false},
		{4, (*fn).doVariable, false},
		{5, (*fn).doAssign, false},
		{3, (*fn).doCopyAddr, false},
		{2, (*fn).doInout, false},
		{2, (*fn).doBox, false},
		{3, (*fn).doTakeApart, false},
		{3, (*fn).doGlobal, false},
		{2, (*fn).doMethod, false},
		{2, (*fn).doCoroutine, false},
		{3, (*fn).doWeak, false},
		{3, (*fn).doUnowned, false},
		{3, (*fn).doExistential, false},
		{3, (*fn).doGeneric, false},
		{3, (*fn).doNoescape, false},
		{5, (*fn).doLeak, false},
		{5, (*fn).doCall, false},
		{4, (*fn).doBuffer, false},
		{1, (*fn).doCast, false},
		{1, (*fn).doKeep, false},
		{3, (*fn).doMove, false},
		{2, (*fn).doParts, false},
		{2, (*fn).doEnumMemory, false},
		{2, (*fn).doSelect, false},
		{2, (*fn).doCheck, false},
		{2, (*fn).doCastBack, false},
		{2, (*fn).doLend, false},
		{2, (*fn).doPointer, false},
		{1, (*fn).doRetainAddr, false},
		{2, (*fn).doUnownedMemory, false},
		{2, (*fn).doConvert, false},
		{4, (*fn).doIf, true},
		{4, (*fn).doSwitch, true},
		{3, (*fn).doLoop, true},
		{2, (*fn).doRounds, true},
		{1, (*fn).doIrreducible, true},
		{1, (*fn).doUnreachable, true},
		{2, (*fn).doLeave, true},
		{2, (*fn).doBorrowScope, true},
	}
}

// mostCost bounds the steps of one call of a function, about.
const mostCost = 4000

// statements writes some statements; deep ones go so many levels down.
func (f *fn) statements(n, depth int) {
	total := 0
	for _, s := range statements {
		total += s.weight
	}
	for range n {
		if f.cost > f.limit {
			return
		}
		k := f.g.n(total)
		for _, s := range statements {
			if k -= s.weight; k < 0 {
				if s.deep && depth <= 0 {
					f.doShow()
					break
				}
				f.level = depth - 1
				s.write(f)
				f.level = depth
				break
			}
		}
	}
}

// inner writes the statements of a deep statement.
func (f *fn) inner() {
	f.statements(1+f.g.n(3), f.level)
}

// function makes a function that later ones may call.
func (g *generator) function() {
	s := &signature{name: g.symbol("f")}
	for range g.n(4) {
		t := pick(g, g.all)
		p := param{conv: pick(g, []string{"@owned ", "@guaranteed ", "@guaranteed ", "@inout ", "@in ", "@in_guaranteed "}), t: t}
		if t.isTrivial() && !p.isAddress() {
			p.conv = ""
		}
		s.params = append(s.params, p)
	}
	if !g.chance(3) {
		s.result = pick(g, g.all)
	}
	if g.chance(4) {
		s.out = pick(g, g.all)
	}
	if g.chance(5) {
		s.throws = g.failure
	}
	f := g.begin(s, pick(g, []string{"", "", "[noinline]"}), g.isOSSA())
	f.leaves = true
	f.statements(3+g.n(8), 2)
	f.finish()
	s.cost = f.cost
	g.sigs = append(g.sigs, s)
}

// main makes the entry point. It fills the globals, calls what there is, and empties the globals.
func (g *generator) main() {
	s := &signature{name: "test"}
	f := g.begin(s, "[noinline]", g.isOSSA())
	for _, c := range g.sigs {
		if strings.HasPrefix(c.name, "f") || strings.HasPrefix(c.name, "shape") {
			f.push()
			f.callFunction(c)
			f.pop()
		}
	}
	f.finish()
	m := &fn{g: g, sig: &signature{name: "main"}, factor: 1, last: 1}
	m.push()
	zero := m.integer(0)
	for _, x := range []string{"deaths", "never", "shown"} {
		m.initialize(m.def("global_addr @%s : $*Int", x), zero, intType)
	}
	for _, x := range g.globals {
		v := m.integer(7)
		if x.t != intType {
			v = m.newCase(x.t, x.t.cases[1])
		}
		m.initialize(m.def("global_addr @%s : $*%s", x.name, x.t.name), v, x.t)
	}
	m.call("test", s.fnType())
	for _, x := range g.globals {
		v := m.def("load %s : $*%s", m.def("global_addr @%s : $*%s", x.name, x.t.name), x.t.name)
		m.destroy(&value{name: v, t: x.t})
	}
	m.print(m.def("load %s : $*Int", m.def("global_addr @deaths : $*Int")))
	status := m.def("struct $Int32 (%s : $Builtin.Int32)", m.def("integer_literal $Builtin.Int32, 0"))
	m.op("return %s : $Int32", status)
	const argv = "UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>"
	fmt.Fprintf(&g.body, "sil @main : $@convention(c) (Int32, %s) -> Int32 {\nbb0(%%0 : $Int32, %%1 : $%s):\n%s\n}\n\n", argv, argv, strings.Join(m.lines, "\n"))
}

// finish ends a function with a result that it makes up.
func (f *fn) finish() {
	result := ""
	if f.sig.result != nil {
		result = f.loose(f.sig.result)
	}
	f.finishWith(result)
}

// finishWith ends a function with a result. Ways that left it before come together with this one.
func (f *fn) finishWith(result string) {
	if f.outer != "" {
		f.initialize(f.outer, f.loose(f.sig.out), f.sig.out)
	}
	f.unwind(0)
	if f.returns != "" {
		f.op("%s", f.branch(f.returns, result, f.sig.result))
		var args []string
		if f.sig.result != nil {
			arg, v := f.blockArg(f.sig.result, true)
			args, result = append(args, arg), v.name
		}
		f.startBlock(f.returns, args...)
	}
	if f.sig.result == nil {
		f.op("return %s : $()", f.def("tuple ()"))
	} else {
		f.op("return %s : $%s", result, f.sig.result.name)
	}
	f.lines = append(f.lines, "}", "", "")
	f.g.body.WriteString(strings.Join(f.lines, "\n"))
}

// branch is a jump with at most one argument.
func (f *fn) branch(to, name string, t *typ) string {
	if t == nil {
		return "br " + to
	}
	return fmt.Sprintf("br %s(%s : $%s)", to, name, t.name)
}

// leave goes out of the function; the block ends.
func (f *fn) leave() {
	if f.returns == "" {
		f.returns = f.newBlock()
	}
	result := ""
	if f.sig.result != nil {
		result = f.loose(f.sig.result)
	}
	if f.outer != "" {
		f.initialize(f.outer, f.loose(f.sig.out), f.sig.out)
	}
	f.unwind(0)
	f.op("%s", f.branch(f.returns, result, f.sig.result))
}
