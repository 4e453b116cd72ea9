package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
)

// What is alive, object by object or by the places that made them.

func doLive(r *REPL, c call) error {
	class, since, has := strings.Cut(c.args, "--since")
	above := uint64(0)
	if has {
		step, err := r.stepOf(strings.TrimSpace(since))
		if err != nil {
			return err
		}
		above = r.d.MadeBy(step)
	}
	const most, few = 40, 24
	class = strings.TrimSpace(class)
	all, by := r.d.LiveFrom(class, above, maxGrouped)
	if class != "" && len(all) == 0 {
		if none := r.d.CheckClass(class); none != nil {
			return none
		}
	}
	list := all[:min(most, len(all))]
	r.d.TellMakers(all[:min(maxMade, len(all))])
	r.give(func() any { return r.view.Live(list, by) })
	if class == "" && len(all) > few {
		r.showLiveByPlace(all)
		list = nil
	}
	for _, o := range list {
		at := r.inst(o.Alloc.Inst)
		if at != "" {
			at = "  made at " + at + r.maker(o)
		}
		r.printf("  %-16s %s%s\n", clean(o.Name), o.Counts.String(), at)
	}
	total := 0
	var names []string
	for name, n := range by {
		total += n
		names = append(names, clean(debugger.CountText(n, name)))
	}
	if total > len(list) && list != nil {
		r.printf("  … %d more\n", total-len(list))
	}
	gone := 0
	for _, o := range all {
		if o.Counts.State == debugger.StateDeinited {
			gone++
		}
	}
	r.printf("%s live", count(total, "object"))
	if gone > 0 {
		r.printf(", %d of them deinited and kept by unowned references", gone)
	}
	if len(by) > 1 && list != nil {
		slices.Sort(names)
		r.printf(": %s", strings.Join(names, ", "))
	}
	r.printf("\n")
	return nil
}

// maxLeaks is how many leaks are explained.
const maxLeaks = 20

// allowedText counts the leaks that the user does not want to be told of.
func allowedText(n int) string { return count(n, "leak") + " that --allow-leak leaves out" }

func doLeaks(r *REPL, c call) error {
	findings := r.d.Leaks().Findings()
	var list []*source.Diagnostic
	total := 0
	for n := range findings {
		total += 1 + findings[n].More
		if n < maxLeaks {
			report := r.d.Leaks().Diagnostic(&findings[n])
			r.d.ExplainLeak(&findings[n], report)
			list = append(list, report)
		}
	}
	r.give(func() any { return r.view.Leaks(total, list) })
	allowed := r.d.Leaks().Allowed()
	switch {
	case total == 0 && allowed > 0:
		r.printf("nothing leaks but %s\n", allowedText(allowed))
	case total == 0 && r.d.Ended() && r.d.End().Trap == nil:
		if _, live := r.d.LiveFrom("", 0, 0); len(live) > 0 && len(r.d.Unfinished()) > 0 {
			r.printf("nothing leaks but what tasks that have not ended keep (tasks lists them, why X tells what keeps an object)\n")
			break
		} else if len(live) > 0 {
			r.printf("nothing leaks: a global or a task leads to all that is alive (live lists it, why X tells the way)\n")
			break
		}
		r.printf("nothing leaks\n")
	case total == 0:
		r.printf("nothing leaks up to here: a global, a call or a task leads to all that is alive\n")
	default:
		r.showFindings(list...)
		r.printf("%s", count(total, "leak"))
		if len(findings) < total {
			r.printf(" of %s", count(len(findings), "kind"))
		}
		r.printf("\n")
	}
	return nil
}

// maxMade is of how many live objects the calls are told that made them.
const maxMade = 1 << 12

// maker words the program's own call that made an object in library code, or by an initializer.
func (r *REPL) maker(o debugger.Object) string {
	if calls := o.Alloc.Inst.UserCalls(); o.Maker.Inst == nil && len(calls) > 1 { // which was inlined there
		if c, ok := o.Alloc.Maker(); ok && c.Func != calls[0].Func {
			return r.calledFrom(c)
		}
	}
	if o.Maker.Inst == nil || o.Maker.Func == nil || o.Maker.Func.Fn == nil {
		return ""
	}
	if c, ok := o.Maker.Maker(); ok {
		return r.calledFrom(c)
	}
	at := source.LineOf(o.Maker.Inst.Swift())
	if at == "" {
		at = r.line(o.Maker.Inst)
	}
	return fmt.Sprintf(", called from %s in %s", clean(at), clean(debugger.Short(o.Maker.Func.Fn)))
}

// calledFrom words a call of the source.
func (r *REPL) calledFrom(c ir.SourceCall) string {
	return fmt.Sprintf(", called from %s:%d in %s", clean(c.Loc.File), c.Loc.Line, clean(debugger.ShortName(r.d.Module().DisplayName(c.Func))))
}

// maxGrouped is how many live objects are counted by the places that made them.
const maxGrouped = 1 << 17

// showLiveByPlace tells how many objects of each class every place made, the most first.
func (r *REPL) showLiveByPlace(list []debugger.Object) {
	type group struct {
		class, place string
		first        string
		n            int
		bytes        uint64
	}
	type key struct {
		class       string
		inst, maker *ir.Inst
	}
	known := map[key]*group{}
	var groups []*group
	for _, o := range list {
		k := key{o.Class, o.Alloc.Inst, o.Maker.Inst}
		if len(list) > maxMade {
			k.maker = nil // of the others it is not known
		}
		g := known[k]
		if g == nil {
			g = &group{class: o.Class, place: r.inst(o.Alloc.Inst), first: o.Name}
			if k.maker != nil {
				g.place += r.maker(o)
			}
			known[k] = g
			groups = append(groups, g)
		}
		g.n++
		g.bytes += o.Size
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.n, a.n) })
	const most = 40
	for _, g := range groups[:min(most, len(groups))] {
		text := fmt.Sprintf("  %6d %s, %s", g.n, clean(g.class), humanize.IBytes(g.bytes))
		if g.place != "" {
			text += ", made at " + g.place
		}
		r.printf("%s, the first is %s\n", text, r.paint(Name, clean(g.first)))
	}
	if more := len(groups) - most; more > 0 {
		r.printf("  … and %s more\n", count(more, "place"))
	}
	if len(list) == maxGrouped {
		r.printf("  only the first %d objects are counted here\n", maxGrouped)
	}
	r.printf("live CLASS lists the objects of a class one by one\n")
}
