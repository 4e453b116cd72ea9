package debugger_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/vm"
)

// stopText is what two stops have to agree on.
func stopText(s debugger.Stop) string {
	text := fmt.Sprintf("step %d for reason %d", s.Step, s.Reason)
	if s.Change != nil {
		text += fmt.Sprintf(", %+v", *s.Change)
	}
	if s.Event != nil {
		text += fmt.Sprintf(", %v of %s at %d to %v", s.Event.Kind, s.Event.Name, s.Event.Step, s.Event.After)
	}
	return text
}

// hunt does one search, whichever a number says, from where the run stands; slow looks at each boundary where that is possible.
func hunt(d *debugger.Debugger, slow bool, kind int, object debugger.Object, field, fn string) string {
	stop := func(s debugger.Stop, err error) string {
		if err != nil {
			return err.Error()
		}
		return stopText(s)
	}
	with := func(b *debugger.Breakpoint, err error, back bool) string {
		if err != nil {
			return err.Error()
		}
		defer d.Delete(b.ID)
		if back {
			return stopText(d.ReverseContinue())
		}
		return stopText(d.Continue())
	}
	back := kind&1 == 0
	switch kind / 2 {
	case 0:
		return stop(d.Last(object.Name + []string{".strong", ".state"}[kind&1]))
	case 1:
		return stop(d.Last(object.Name))
	case 2:
		if slow && d.IsSparse(field) {
			return stop(d.LastSlow(field))
		}
		return stop(d.Last(field))
	case 3:
		b, err := d.BreakOn(debugger.EventKinds("release"), object.Name, "")
		return with(b, err, back)
	case 4:
		b, err := d.BreakOn(debugger.EventKinds("dealloc"), object.Name, "")
		return with(b, err, back)
	case 5:
		b, err := d.Watch(field, "")
		return with(b, err, back)
	case 6:
		b, err := d.BreakAt(fn, "", false)
		return with(b, err, back)
	case 7:
		b, err := d.Watch(object.Name+".unowned", "")
		return with(b, err, back)
	case 8:
		events, more, ok := d.History(object)
		text := fmt.Sprint(len(events), more, ok)
		for _, e := range events {
			text += fmt.Sprintf(" %v@%d=%v", e.Kind, e.Step, e.After)
		}
		return text
	case 9:
		list, ok, err := d.Find(debugger.EventKinds("count"), object.Name, "")
		return fmt.Sprint(list.Total, ok, err)
	case 10:
		list, ok, err := d.Calls(fn, "")
		return fmt.Sprint(list.Total, ok, err)
	case 11:
		b, err := d.BreakOn(debugger.EventKinds([]string{"deinit", "retain"}[kind&1]), object.Class, "")
		return with(b, err, len(field)%2 == 0)
	case 12:
		b, err := d.BreakOn(debugger.EventKinds("alloc"), object.Class, "")
		return with(b, err, back)
	case 13:
		b, err := d.WatchAccess(field, "", debugger.AnyAccess)
		return with(b, err, back)
	case 14:
		of := ofClass(object, field)
		if slow && d.IsSparse(of) {
			return stop(d.LastSlow(of))
		}
		return stop(d.Last(of))
	}
	b, err := d.Watch(ofClass(object, field), "")
	return with(b, err, back)
}

// ofClass is a property of an object as that of all objects of its class.
func ofClass(o debugger.Object, field string) string {
	return o.Class + strings.TrimPrefix(field, o.Name)
}

// More of them: go test ./debugger -run QuietStretches -quietseed N -quietevery 1
var (
	quietSeed  = flag.Uint64("quietseed", 0, "seed of TestQuietStretchesHoldNothing")
	quietEvery = flag.Uint64("quietevery", 11, "one of so many programs is searched")
)

// Searches that leave out what can't hold a find come to the same moments as searches through all of the past, for objects that live and
// that are gone, from random steps, whatever the lengths of the stretches.
func TestQuietStretchesHoldNothing(t *testing.T) {
	files, err := filepath.Glob("../programs/embedded/*/O.sil*")
	for _, pattern := range []string{"../programs/ordinary/*/O*.sil*", "../programs/counts/*.sil"} {
		more, _ := filepath.Glob(pattern)
		files = append(files, more...)
	}
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	rng := rand.New(rand.NewPCG(*quietSeed, 7))
	hunts, found := 0, 0
	for _, file := range files {
		if !isSampled(file, *quietEvery, *quietSeed) {
			continue
		}
		all := session(t, file, io.Discard)
		few := debugger.Config{VM: vm.Config{Stdout: io.Discard}, History: 1 << (19 + rng.IntN(11))} // sets of what was touched are coarse then
		fast := sessionWith(t, file, few)
		all.Stretch(1 << 40)
		end := all.GotoEnd().Step
		if end > 60_000 {
			continue
		}
		fast.Stretch(1 + rng.Uint64N(min(end/4+1, 300)))
		fast.GotoEnd()
		var fns []string
		for _, f := range all.Machine().Program().Lowered {
			if f.Fn != nil {
				fns = append(fns, f.Fn.Name)
			}
		}
		for range 3 {
			at := rng.Uint64N(end + 1)
			all.Goto(at)
			list := all.Live("")
			if len(list) == 0 {
				continue
			}
			object := list[rng.IntN(len(list))]
			field := object.Name + ".x"
			if fields := all.Fields(object.Ref); len(fields) > 0 && rng.IntN(4) > 0 {
				field = object.Name + "." + fields[rng.IntN(len(fields))].Name
			} else if globals := all.Globals(); len(globals) > 0 {
				field = globals[rng.IntN(len(globals))].Name
			}
			fn := fns[rng.IntN(len(fns))]
			for _, cond := range []string{field + " > " + fmt.Sprint(rng.IntN(9)), field + " == nil", field + " != nil && " + object.Name + ".state == \"live\""} {
				all.Goto(at)
				fast.Goto(at)
				if !all.IsSteady(cond) {
					continue
				}
				want, ok, _ := all.WhereAlways(cond)
				got, okFast, _ := fast.Where(cond, "")
				text := func(list debugger.Moments, ok bool) (s string) {
					for _, m := range list.List {
						s += fmt.Sprint(m.Step, " ")
					}
					return fmt.Sprint(list.Total, ok, ": ", s)
				}
				hunts++
				if want.Total > 0 {
					found++
				}
				if text(want, ok) != text(got, okFast) {
					t.Errorf("%s: where %s to step %d: %s, but with a look at each moment %s", file, cond, at, text(got, okFast), text(want, ok))
				}
			}
			for kind := range 32 {
				from := at // where the object lives, or elsewhere
				if kind%3 == 0 {
					from = rng.Uint64N(end + 1)
				}
				all.Goto(from)
				fast.Goto(from)
				want, got := hunt(all, true, kind, object, field, fn), hunt(fast, false, kind, object, field, fn)
				hunts++
				if strings.Contains(want, "->") || strings.Contains(want, "reason 3") || strings.Contains(want, "reason 4") {
					found++
				}
				if want != got {
					t.Errorf("%s: hunt %d of %s, %s, %s from step %d: %s, but in all of the past %s", file, kind, object.Name, field, fn, from, got, want)
				}
			}
		}
	}
	t.Logf("%d hunts, %d with a find", hunts, found)
}

// conditions makes some that are true at times, of a variable that a frame has.
func conditions(d *debugger.Debugger, v debugger.Variable, rng *rand.Rand) (out []string) {
	name := v.Name
	for x := v.Value; ; {
		text := strings.TrimSuffix(strings.TrimPrefix(d.Text(x), "Optional("), ")")
		op := []string{"==", "!=", "<", ">", "<=", ">="}[rng.IntN(6)]
		switch {
		case text == "true" || text == "false":
			out = append(out, name, "!"+name)
		case text == "nil" || strings.Contains(text, "#"):
			out = append(out, name+" "+op[:1]+"= nil", name+" === "+name, name+".isEmpty")
		case text != "" && strings.Trim(text, "0123456789.-") == "":
			out = append(out, name+" "+op+" "+text, name+" % 3 == 1 && "+name+" > 2", name+" "+op+" 0.5", "-"+name+" < 7 || "+name+" + 1 == "+text, name)
		case strings.HasPrefix(text, "["):
			out = append(out, name+".count > 1", name+".isEmpty", "!"+name+".isEmpty && "+name+".count < 4", name+".first == 3")
		default:
			out = append(out, name+" == "+text)
		}
		kids := d.Children(x, 8)
		if len(kids) == 0 || strings.Count(name, ".") > 2 {
			return out
		}
		k := kids[rng.IntN(len(kids))]
		name, x = name+"."+k.Name, k.Value
		if strings.HasPrefix(k.Name, "[") || strings.Count(v.Name, ".") > 2 {
			return out
		}
		if rng.IntN(4) == 0 {
			name = k.Name // of self
		}
	}
}

// Expressions that were made ready for the boundaries come to the same moments as those that are looked up at each, and are found
// wrong for the same reason.
func TestWhereMadeReady(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../programs/ordinary/*/O*.sil*", "../programs/embedded/*/O.sil*", "../programs/swift-6.2/*/O*.sil*", "../programs/hunt/*.sil*"} {
		more, _ := filepath.Glob(pattern)
		files = append(files, more...)
	}
	rng := rand.New(rand.NewPCG(*quietSeed, 9))
	asked, found := 0, 0
	for _, file := range files {
		if !isSampled(file, 2**quietEvery, *quietSeed) {
			continue
		}
		d := sessionWith(t, file, debugger.Config{VM: vm.Config{Stdout: io.Discard}})
		end := d.GotoEnd().Step
		if end > 60_000 {
			continue
		}
		for range 12 {
			d.Goto(rng.Uint64N(end + 1))
			var list []string
			for _, f := range d.Frames(3) {
				if locals := d.Locals(f); len(locals) > 0 {
					list = append(list, conditions(d, locals[rng.IntN(len(locals))], rng)...)
				}
			}
			if globals := d.Globals(); len(globals) > 0 {
				list = append(list, conditions(d, globals[rng.IntN(len(globals))], rng)...)
			}
			if len(list) == 0 {
				continue
			}
			cond := list[rng.IntN(len(list))]
			if other := list[rng.IntN(len(list))]; rng.IntN(4) == 0 {
				cond = "(" + cond + ") " + []string{"&&", "||", "=="}[rng.IntN(3)] + " (" + other + ")"
			}
			d.Goto(end)
			text := func(m debugger.Moments, ok bool, err error) string {
				s := fmt.Sprint(m.Total, m.Looked, m.Valued, ok, err, ":")
				for _, x := range m.List {
					s += fmt.Sprint(" ", x.Step)
				}
				return s
			}
			want := text(d.WhereAlways(cond))
			if got := text(d.Where(cond, "")); got != want {
				t.Errorf("%s: where %s: %s, but where all is looked up each time %s", file, cond, got, want)
			}
			if asked++; !strings.HasPrefix(want, "0 ") {
				found++
			}
		}
	}
	t.Logf("%d asked, %d with a find", asked, found)
}
