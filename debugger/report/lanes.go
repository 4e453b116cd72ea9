package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/vm/measure"
)

// Lanes are charts below one another over the same axis of time. Their lines are SVG that is stretched to the width of the page; words stand
// beside it, so that they stay readable however narrow that is.

// timeline is all lanes with their axis.
type timeline struct {
	Last  string // the last step
	Lanes []lane
	Marks []mark
}

type lane struct {
	Title, Note string
	Top         string // the greatest value
	Areas       []area
}

// area is a line, or what lies between two.
type area struct {
	Class  string // of the style
	Path   string
	Legend string
}

// mark is a moment of a finding.
type mark struct {
	Left float64 // percent of the width
	Text string
}

// The coordinates of a lane.
const (
	laneWidth  = 1000
	laneHeight = 100
	maxClasses = 7
	bars       = 120
)

// time fills the lanes.
func (m *maker) time() {
	moments := m.in.Traffic.Moments
	if len(moments) == 0 {
		return
	}
	last := max(moments[len(moments)-1].Step, 1)
	if e := m.in.Debugger.End(); e != nil {
		last = max(last, e.Step)
	}
	m.page.Time = &timeline{Last: humanize.Comma(int64(last)), Lanes: []lane{liveLane(m.in.Traffic, last), referenceLane(moments, last), heldLane(m.in.Traffic, last), deinitLane(moments, last)}}
	d := &m.page.Data
	d.Last = last
	d.Lanes = make([][]int64, 5)
	for _, x := range moments {
		d.Times = append(d.Times, int64(x.Step))
		for k, v := range []uint64{uint64(max(x.Live, 0)), x.Taken - x.Given, x.Taken, x.Given, x.Deinits} {
			d.Lanes[k] = append(d.Lanes[k], int64(v))
		}
	}
	m.marks(last)
}

// marks places the findings on the axis: the first leak with a code where it came about, as silvm debug --at does, everything else at the
// end of the run.
func (m *maker) marks(last uint64) {
	d := m.in.Debugger
	seen := map[string]bool{}
	for _, f := range m.page.Findings {
		if seen[f.Code] {
			continue
		}
		seen[f.Code] = true
		step := last
		if d.End() != nil && d.End().Trap == nil {
			if stop, said := d.GotoLeak(f.Code); said != nil {
				step = stop.Step
			}
			d.GotoEnd()
		}
		m.page.Time.Marks = append(m.page.Time.Marks, mark{100 * float64(step) / float64(last), fmt.Sprintf("%s at step %s: %s", f.Code, humanize.Comma(int64(step)), f.Text)})
	}
}

// step is a line that keeps each value up to the next moment.
func step(moments []measure.Moment, last, top uint64, value func(*measure.Moment) uint64) string {
	var b strings.Builder
	y := func(v uint64) float64 { return laneHeight - float64(v)/float64(top)*laneHeight }
	fmt.Fprintf(&b, "M0,%.1f", y(0))
	for k := range moments {
		fmt.Fprintf(&b, "H%.1fV%.1f", float64(moments[k].Step)/float64(last)*laneWidth, y(value(&moments[k])))
	}
	fmt.Fprintf(&b, "H%d", laneWidth)
	return b.String()
}

func greatest(moments []measure.Moment, value func(*measure.Moment) uint64) uint64 {
	top := uint64(1)
	for k := range moments {
		top = max(top, value(&moments[k]))
	}
	return top
}

// liveLane stacks the live objects of the classes that have the most.
func liveLane(t *measure.Traffic, last uint64) lane {
	moments, most := t.Moments, map[string]int{}
	for _, x := range moments {
		for name, n := range x.Classes {
			if n > 0 { // else its objects lived between two moments only
				most[name] = t.Most[name]
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(most), func(a, b string) int { return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b)) })
	alone := names[:min(len(names), maxClasses)]
	if len(names) == maxClasses+1 {
		alone = names
	}
	top := uint64(max(t.MostLive, 1))
	l := lane{Title: "live objects by class", Note: fmt.Sprintf("objects on the stack count too; counted at %s moments", humanize.Comma(int64(len(moments)))), Top: humanize.Comma(int64(top))}
	end := moments[len(moments)-1].Classes
	sum := func(k int) func(*measure.Moment) uint64 { // of the first k classes; all for more
		return func(x *measure.Moment) (n uint64) {
			if k > len(alone) {
				return uint64(max(x.Live, 0))
			}
			for _, name := range alone[:k] {
				n += uint64(max(x.Classes[name], 0))
			}
			return n
		}
	}
	legend := func(name string, most, now int) string {
		return fmt.Sprintf("%s: at most %s, %s at the end", name, humanize.Comma(int64(most)), humanize.Comma(int64(now)))
	}
	if rest := len(names) - len(alone); rest > 0 {
		highest, now := 0, 0
		for _, x := range moments {
			highest = max(highest, x.Live-int(sum(len(alone))(&x)))
		}
		for _, name := range names[len(alone):] {
			now += end[name]
		}
		l.Areas = append(l.Areas, area{"rest", step(moments, last, top, sum(len(alone)+1)) + fmt.Sprintf("V%dZ", laneHeight), legend(fmt.Sprintf("%d other classes", rest), highest, now) + ", as counted"})
	}
	for k := len(alone); k > 0; k-- { // the sums of more lie after those of fewer
		name := alone[k-1]
		l.Areas = append(l.Areas, area{fmt.Sprintf("class%d", k-1), step(moments, last, top, sum(k)) + fmt.Sprintf("V%dZ", laneHeight), legend(name, most[name], end[name])})
	}
	return l
}

func taken(x *measure.Moment) uint64 { return x.Taken }
func given(x *measure.Moment) uint64 { return x.Given }
func held(x *measure.Moment) uint64  { return x.Taken - x.Given }

// referenceLane draws strong references taken against those given up.
func referenceLane(moments []measure.Moment, last uint64) lane {
	top := greatest(moments, taken)
	end := &moments[len(moments)-1]
	return lane{Title: "strong references taken and given up, summed up", Top: humanize.Comma(int64(top)),
		Note: "an object begins with one, a retain takes one, a release gives one up; the distance between the lines is what is held",
		Areas: []area{{"line taken", step(moments, last, top, taken), "taken: " + humanize.Comma(int64(end.Taken))},
			{"line given", step(moments, last, top, given), "given up: " + humanize.Comma(int64(end.Given))}}}
}

// heldLane draws the strong references that live objects have.
func heldLane(t *measure.Traffic, last uint64) lane {
	moments, top := t.Moments, max(t.MostHeld, 1)
	end := held(&moments[len(moments)-1])
	return lane{Title: "strong references held", Top: humanize.Comma(int64(top)), Note: "the sum of the strong counts of all live objects",
		Areas: []area{{"line held", step(moments, last, top, held), fmt.Sprintf("at most %s, %s at the end", humanize.Comma(int64(top)), humanize.Comma(int64(end)))}}}
}

// deinitLane draws bars: how many deinits began in each part of the run.
func deinitLane(moments []measure.Moment, last uint64) lane {
	var count [bars]uint64
	before := uint64(0)
	for _, x := range moments {
		k := min(int(float64(x.Step)/float64(last)*bars), bars-1)
		count[k] += x.Deinits - before
		before = x.Deinits
	}
	top := max(slices.Max(count[:]), 1)
	var b strings.Builder
	for k, n := range count {
		if n > 0 {
			left := float64(k) * laneWidth / bars
			fmt.Fprintf(&b, "M%.1f,%dV%.1fH%.1fV%dZ", left, laneHeight, laneHeight-float64(n)/float64(top)*laneHeight, left+laneWidth/bars-1, laneHeight)
		}
	}
	return lane{Title: "deinits", Top: humanize.Comma(int64(top)), Note: fmt.Sprintf("in each of %d parts of the run", bars),
		Areas: []area{{"bar", b.String(), humanize.Comma(int64(before)) + " in all"}}}
}
