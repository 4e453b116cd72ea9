package main

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"silvm/vm"
)

// statRow is one line of --stats.
type statRow struct {
	key  string // in JSON
	text string
	n    uint64
	size bool
}

func statRows(m *vm.Machine) []statRow {
	c, h := m.Counters(), m.Heap().Stats()
	return []statRow{
		{"steps", "SIL instructions", m.Steps(), false},
		{"strong_retains", "strong retains", c.StrongRetain, false},
		{"strong_releases", "strong releases", c.StrongRelease, false},
		{"unowned_retains", "unowned retains", c.UnownedRetain, false},
		{"unowned_releases", "unowned releases", c.UnownedRelease, false},
		{"unowned_loads", "unowned loads", c.UnownedLoad, false},
		{"weak_stores", "weak stores", c.WeakStore, false},
		{"weak_loads", "weak loads", c.WeakLoad, false},
		{"weak_destroys", "weak destroys", c.WeakDestroy, false},
		{"unique_checks", "uniqueness checks", c.UniqueCheck, false},
		{"copies", "copies of values in memory", c.CopyAddr, false},
		{"allocations", "objects allocated", c.AllocObject, false},
		{"stack_objects", "objects on the stack", c.AllocStack, false},
		{"deinits", "deinits", c.Deinit, false},
		{"frees", "objects freed", c.Dealloc, false},
		{"raw_allocations", "raw allocations", c.AllocRaw, false},
		{"raw_frees", "raw frees", c.FreeRaw, false},
		{"accesses", "dynamic accesses", c.Access, false},
		{"calls", "calls", c.Calls, false},
		{"live_objects", "objects alive at exit", uint64(h.LiveObjects), false},
		{"peak_heap", "peak heap", h.PeakBytes, true},
	}
}

// showStats prints the counters: a table on stderr, or one JSON object on stdout.
func (a *app) showStats(m *vm.Machine) error {
	rows := statRows(m)
	if a.flags.json {
		out := map[string]any{"version": 1, "type": "stats"}
		for _, r := range rows {
			out[r.key] = r.n
		}
		return a.jsonLine(out)
	}
	for _, r := range rows {
		value := humanize.Comma(int64(r.n))
		if r.size {
			value = humanize.IBytes(r.n)
		}
		if _, err := fmt.Fprintf(a.err, "%16s  %s\n", value, r.text); err != nil {
			return err
		}
	}
	return nil
}
