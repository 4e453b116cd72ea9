package measure

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"silvm/ir/source"
)

// Record is one program of a bench as JSON: of source.JSONVersion, one a line. A baseline is a file of them.
type Record struct {
	Version int               `json:"version"`
	Type    string            `json:"type"` // "program"
	Name    string            `json:"name"`
	Before  map[string]uint64 `json:"before"` // by Metric.Key
	After   map[string]uint64 `json:"after"`
	// Times are medians in nanoseconds, spreads shares of them.
	BeforeTime   int64   `json:"before_ns"`
	AfterTime    int64   `json:"after_ns"`
	BeforeSpread float64 `json:"before_spread"`
	AfterSpread  float64 `json:"after_spread"`
	TimeP        float64 `json:"time_p"` // see Comparison.timeP
	// Passes has the counts after each pass that changed something, in order.
	Passes []PassRecord `json:"passes,omitempty"`
}

// PassRecord is the state after one pass.
type PassRecord struct {
	Pass    string            `json:"pass"`
	Changed int               `json:"functions_changed"`
	After   map[string]uint64 `json:"after"`
}

// Record returns the comparison as it is written.
func (c *Comparison) Record() *Record {
	r := &Record{Version: source.JSONVersion, Type: "program", Name: c.Name, Before: values(c.Before.Outcome), After: values(c.After.Outcome),
		BeforeTime: c.Before.Median().Nanoseconds(), AfterTime: c.After.Median().Nanoseconds(),
		BeforeSpread: c.Before.Spread(), AfterSpread: c.After.Spread(), TimeP: c.timeP()}
	for _, s := range c.Stages {
		r.Passes = append(r.Passes, PassRecord{s.Pass, s.Changed, values(s.Outcome)})
	}
	return r
}

func values(o *Outcome) map[string]uint64 {
	out := map[string]uint64{}
	for _, m := range Metrics {
		out[m.Key] = m.Of(o)
	}
	return out
}

// ReadBaseline reads records by name of the program; lines of other types are passed over.
func ReadBaseline(r io.Reader) (map[string]*Record, error) {
	records := map[string]*Record{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		rec := &Record{}
		if err := json.Unmarshal(lines.Bytes(), rec); err != nil {
			return nil, fmt.Errorf("line %d is no record of a bench: %v", n, err)
		}
		if rec.Version > source.JSONVersion {
			return nil, fmt.Errorf("line %d has version %d, this silvm knows %d", n, rec.Version, source.JSONVersion)
		}
		if rec.Type == "program" {
			records[rec.Name] = rec
		}
	}
	return records, lines.Err()
}

// Threshold is the most that a metric may be, as a ratio.
type Threshold struct {
	Metric Metric
	Most   float64
}

// ParseThresholds reads "rc=0.9,steps=1.0".
func ParseThresholds(text string) ([]Threshold, error) {
	var list []Threshold
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		m, known := metricByKey(key)
		most, err := strconv.ParseFloat(value, 64)
		switch {
		case !ok || err != nil || !(most >= 0):
			return nil, fmt.Errorf("not a threshold: %q (such as rc=0.95)", part)
		case !known:
			return nil, fmt.Errorf("unknown metric %q", key)
		}
		list = append(list, Threshold{m, most})
	}
	return list, nil
}

// Over says which thresholds the comparison is over: those of the counts after against before or, with a record of a baseline, against
// the counts after of that.
func (c *Comparison) Over(limits []Threshold, base *Record) []string {
	var over []string
	for _, l := range limits {
		against, was := "before", l.Metric.Of(c.Before.Outcome)
		if base != nil {
			against, was = "the baseline", base.After[l.Metric.Key]
		}
		is := l.Metric.Of(c.After.Outcome)
		if r := ratio(float64(was), float64(is)); r > l.Most {
			over = append(over, fmt.Sprintf("%s: %s are %.3f of %s (%d, were %d), more than %g", c.Name, l.Metric.Label, r, against, is, was, l.Most))
		}
	}
	return over
}
