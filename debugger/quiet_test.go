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
