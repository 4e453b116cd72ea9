package main

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"silvm/vm/measure"
)

// showStats prints what a run counted: a table on stderr, or one JSON object on stdout.
func (a *app) showStats(o *measure.Outcome) error {
	if a.flags.json {
		out := jsonFields{}
		for _, m := range measure.Metrics {
			out[m.Key] = m.Of(o)
		}
		return a.record("stats", out)
	}
	for _, m := range measure.Metrics {
		if _, err := fmt.Fprintf(a.err, "%16s  %s\n", amount(m, m.Of(o)), m.Label); err != nil {
			return err
		}
	}
	return nil
}

// amount words a number of a metric for people.
func amount(m measure.Metric, n uint64) string {
	if m.Bytes {
		return humanize.IBytes(n)
	}
	return humanize.Comma(int64(n))
}
