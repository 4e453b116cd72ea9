package debugger

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// Object is an object on the heap.
type Object struct {
	Name   string // class and serial number: Node#17
	Class  string
	Ref    uint64
	Serial uint64
	Size   uint64 // bytes, header included
	Counts Counts
	Alloc  vm.Place
	Maker  vm.Place // the program's own call that led there, of one that a library made; see TellMakers
	// Release and Free are of one that is no more.
	Release, Free vm.Place
}

func (d *Debugger) object(o heap.ObjectInfo) Object {
	x := Object{Name: d.m.ObjectName(o), Ref: o.Ref, Serial: o.Serial, Size: o.Size, Counts: d.countsAt(o.Ref), Alloc: d.m.PlaceOf(o.AllocSite)}
	x.Class, _, _ = strings.Cut(x.Name, "#")
	if o.State == heap.Freed {
		x.Counts.State = heap.Freed
	}
	if o.LastReleaseSite != 0 {
		x.Release = d.m.PlaceOf(o.LastReleaseSite)
	}
	if o.FreeSite != 0 {
		x.Free = d.m.PlaceOf(o.FreeSite)
	}
	return x
}

// ObjectAt returns the object on the heap that a reference means, live or freed and not reused.
func (d *Debugger) ObjectAt(ref uint64) (Object, bool) {
	o, ok := d.m.Heap().Object(ref &^ tagBits)
	if !ok || o.Kind != heap.KindObject {
		return Object{}, false
	}
	return d.object(o), true
}

// LiveFrom lists up to limit live objects of a class, "" for all, with serial numbers above one, in their order; counts says how many
// there are of each class.
func (d *Debugger) LiveFrom(class string, above uint64, limit int) (list []Object, counts map[string]int) {
	var refs []heap.ObjectInfo
	byMeta := map[uint64]int{}
	d.m.Heap().Live(func(o heap.ObjectInfo) bool {
		if o.Kind == heap.KindObject && o.Serial > above && (class == "" || d.isOfClass(o.Ref, class)) {
			byMeta[o.Metadata]++
			if refs = append(refs, o); len(refs)/4 > max(limit, 256) { // only the first are wanted, of perhaps millions
				slices.SortFunc(refs, bySerial)
				refs = refs[:limit]
			}
		}
		return true
	})
	slices.SortFunc(refs, bySerial)
	for _, o := range refs[:min(limit, len(refs))] {
		list = append(list, d.object(o))
	}
	counts = map[string]int{}
	for meta, n := range byMeta {
		name := "object"
		if ti := d.m.TypeAt(meta); ti != nil {
			name = ti.Name
		}
		counts[name] += n
	}
	return list, counts
}

func bySerial(a, b heap.ObjectInfo) int { return cmp.Compare(a.Serial, b.Serial) }

// isOfClass reports whether an object is of a class or of one that inherits from it.
func (d *Debugger) isOfClass(ref uint64, class string) bool {
	meta, _ := d.m.Heap().Load64(ref)
	ti := d.m.TypeAt(meta)
	return ti != nil && isClass(ti, class)
}

// isClass reports whether a type is a class or inherits from it, whatever its type arguments.
func isClass(ti *code.TypeInfo, class string) bool {
	if ti.Name == class || strings.HasPrefix(ti.Name, class+"<") {
		return true
	}
	for c := ti.Class; c != nil; c = c.Super {
		if c.Type.Name == class || strings.HasPrefix(c.Type.Name, class+"<") {
			return true
		}
	}
	return false
}

// Classes lists the names of the classes that the program has objects of or declares.
func (d *Debugger) Classes() []string {
	seen := map[string]bool{}
	for _, ti := range d.m.Program().Types {
		if ti.Class != nil {
			seen[ti.Name] = true
		}
	}
	for name := range d.mod.VTables {
		seen[ir.PlainName(name)] = true
	}
	var out []string
	for name := range seen {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

var objectRE = regexp.MustCompile(`^(.*)#(\d+)$`)

// classOrObject reads what a breakpoint on counts is about.
func (d *Debugger) classOrObject(name string) (class string, serial uint64, err error) {
	if m := objectRE.FindStringSubmatch(name); m != nil {
		serial, _ = strconv.ParseUint(m[2], 10, 64)
		return m[1], serial, nil
	}
	none := d.CheckClass(name)
	if none == nil {
		return name, 0, nil
	}
	if v, err := d.Eval(name, d.selected); err == nil {
		if ref, ok := d.Ref(v); ok {
			if o, ok := d.ObjectAt(ref); ok {
				return o.Class, o.Serial, nil
			}
		}
	}
	return "", 0, &NoSuch{What: "class or object", Name: name, Near: none.Near}
}

// CheckClass says that the program has no class of a name, and which is the most similar.
func (d *Debugger) CheckClass(name string) *NoSuch {
	classes := d.Classes()
	if slices.ContainsFunc(classes, func(c string) bool { return c == name || strings.HasPrefix(c, name+"<") }) {
		return nil
	}
	return &NoSuch{What: "class", Name: name, Near: nearest(name, classes)}
}

// noObject says of what findings call raw memory that it is none.
func noObject(name string) error {
	if strings.HasPrefix(name, "raw memory #") || strings.HasPrefix(name, "malloc memory #") {
		return fmt.Errorf("%s is no object, so it has no counts and no history; a finding tells where it was allocated and freed", name)
	}
	return nil
}

// wereMade is a number of objects as the start of a sentence on them.
func wereMade(n uint64) string {
	switch n {
	case 0:
		return "no object was"
	case 1:
		return "1 object was"
	}
	return humanize.Comma(int64(n)) + " objects were"
}

// ObjectNamed finds an object by its name, live or freed and not reused, or by an expression that refers to one.
func (d *Debugger) ObjectNamed(name string) (Object, error) {
	if err := noObject(name); err != nil {
		return Object{}, err
	}
	if m := objectRE.FindStringSubmatch(name); m != nil {
		serial, _ := strconv.ParseUint(m[2], 10, 64)
		if info, ok := d.m.Heap().Find(serial); ok {
			o := d.object(info)
			if o.Class == m[1] || m[1] == "" || strings.HasPrefix(o.Class, m[1]+"<") {
				return o, nil
			}
			return o, &NoSuch{What: "object", Name: name, Near: d.likeNumber(m[1], serial, o.Name)}
		}
		if o, ok := d.pastObject(serial); ok {
			return o, nil
		}
		if made := d.m.Heap().Stats().Objects; serial > made && (m[1] == "" || d.CheckClass(m[1]) == nil) {
			return Object{}, fmt.Errorf("no object %s yet: %s made up to here", name, wereMade(made))
		}
		return Object{}, &NoSuch{What: "object", Name: name}
	}
	if m := stackRE.FindStringSubmatch(name); m != nil {
		ref, _ := strconv.ParseUint(m[2], 0, 64)
		if o, ok := d.unnumbered(ref); ok && (m[1] == "" || strings.HasPrefix(o.Name, m[1])) {
			return o, nil
		}
		return Object{}, &NoSuch{What: "object", Name: name}
	}
	v, err := d.Eval(name, d.selected)
	if err != nil {
		if list, counts := d.LiveFrom(name, 0, 3); len(list) > 0 && (list[0].Class == name || slices.Contains(d.Classes(), list[0].Class)) && name != "" {
			if len(list) == 1 && len(counts) == 1 {
				return list[0], nil // the only one alive
			}
			var names []string
			for _, o := range list {
				names = append(names, o.Name)
			}
			return Object{}, fmt.Errorf("%s is a class: say which object, such as %s", name, strings.Join(names, ", "))
		}
		return Object{}, err
	}
	if ref, ok := d.Ref(v); ok {
		o, _ := d.ObjectAt(ref)
		return o, nil
	}
	if d.isPlainRef(v) {
		if o, ok := d.unnumbered(v.word(0) &^ tagBits); ok {
			return o, nil
		}
	}
	return Object{}, &NoSuch{What: "object in", Name: name}
}

// likeNumber returns the name of the object of a class whose number is nearest to one, otherwise when there is none.
func (d *Debugger) likeNumber(class string, serial uint64, otherwise string) string {
	best, least := otherwise, endless
	d.m.Heap().Live(func(o heap.ObjectInfo) bool {
		if off := max(o.Serial, serial) - min(o.Serial, serial); o.Kind == heap.KindObject && off < least && d.isOfClass(o.Ref, class) {
			best, least = d.m.ObjectName(o), off
		}
		return true
	})
	return best
}

var stackRE = regexp.MustCompile(`^(.*)@(0x[0-9a-f]+)$`)

// unnumbered returns an object that is not on the heap: in the memory of the stack, or a static one. Its serial number is 0.
func (d *Debugger) unnumbered(ref uint64) (o Object, ok bool) {
	meta, _ := d.m.Heap().Load64(ref)
	ti := d.m.TypeAt(meta)
	c := d.countsAt(ref)
	if info, there := d.m.Heap().Object(ref); ti == nil || c.State == heap.NoState || there && info.Kind == heap.KindObject {
		return o, false
	}
	return Object{Name: ti.Name + "@" + hex(ref), Class: ti.Name, Ref: ref, Counts: c}, true
}

func sortChanges(list []CountChange) {
	slices.SortFunc(list, func(a, b CountChange) int { return cmp.Compare(a.Serial, b.Serial) })
}
