package measure

import (
	"cmp"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm"
)

// WriteProfile writes what was traced in the form of `go tool pprof`: retains, releases and allocations by stack, with the class of the
// object as the label "class". Lines are those of the Swift source where the SIL has them, else those of the SIL. The module must
// have been traced with stacks.
func (t *Traffic) WriteProfile(w io.Writer, files *source.Set) error {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "retains", Unit: "count"}, {Type: "releases", Unit: "count"}, {Type: "allocations", Unit: "count"}},
		PeriodType: &profile.ValueType{Type: "retains", Unit: "count"}, Period: 1, DefaultSampleType: "retains",
	}
	b := &profileBuilder{p: p, files: files, m: t.machine, locations: map[uint32]*profile.Location{}, functions: map[string]*profile.Function{}}
	for _, key := range t.sortedStacks() {
		ops := t.stacks[key].Count
		if ops.RC() == 0 && ops.Allocs == 0 {
			continue
		}
		s := &profile.Sample{Value: []int64{int64(ops.Retains), int64(ops.Releases), int64(ops.Allocs)}}
		if key.class != "" {
			s.Label = map[string][]string{"class": {key.class}}
		}
		for _, pc := range key.pcs {
			if pc != 0 {
				s.Location = append(s.Location, b.location(pc-1))
			}
		}
		p.Sample = append(p.Sample, s)
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

// sortedStacks lists the stacks in an order that does not depend on the map.
func (t *Traffic) sortedStacks() []stackKey {
	keys := make([]stackKey, 0, len(t.stacks))
	for k := range t.stacks {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b stackKey) int {
		return cmp.Or(slices.Compare(a.pcs[:], b.pcs[:]), cmp.Compare(a.class, b.class))
	})
	return keys
}

type profileBuilder struct {
	p         *profile.Profile
	files     *source.Set
	m         *vm.Machine
	locations map[uint32]*profile.Location
	functions map[string]*profile.Function
}

// location returns the location of a position of the bytecode.
func (b *profileBuilder) location(pc uint32) *profile.Location {
	if l := b.locations[pc]; l != nil {
		return l
	}
	at := b.m.PlaceOf(pc)
	name, system, file, line := "(runtime)", "", "", 0
	if at.Func != nil {
		name, system = at.Func.Name, at.Func.Name
		if at.Func.Fn != nil {
			name = at.Func.Fn.DisplayName()
		}
	}
	if at.Inst != nil {
		file, line = lineOf(at.Inst, b.files)
	}
	l := &profile.Location{ID: uint64(len(b.p.Location)) + 1, Address: uint64(pc), Line: []profile.Line{{Function: b.function(name, system, file), Line: int64(line)}}}
	b.locations[pc] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

func (b *profileBuilder) function(name, system, file string) *profile.Function {
	key := name + "\x00" + file
	if f := b.functions[key]; f != nil {
		return f
	}
	f := &profile.Function{ID: uint64(len(b.p.Function)) + 1, Name: name, SystemName: system, Filename: file}
	b.functions[key] = f
	b.p.Function = append(b.p.Function, f)
	return f
}

// lineOf returns the line of the Swift source that an instruction comes from or, where the SIL does not say it, its line in the SIL.
func lineOf(i *ir.Inst, files *source.Set) (file string, line int) {
	if file, line, _, ok := source.SplitPlace(i.SwiftPlace()); ok {
		return file, line
	}
	at := files.Place(i.Pos)
	return at.File, at.Line
}
