package measure

// A Metric is one number of an outcome, with its names.
type Metric struct {
	Key   string // in JSON and in thresholds
	Label string
	Of    func(o *Outcome) uint64
	Bytes bool // a size, not a count
	// Bench says that the comparison of two runs shows it.
	Bench bool
}

// Metrics are all numbers in the order in which they are shown. The first, rc, is the sum that an ARC optimizer lowers.
var Metrics = []Metric{
	{"rc", "retains and releases", func(o *Outcome) uint64 { return o.Counts.StrongRetain + o.Counts.StrongRelease }, false, true},
	{"strong_retains", "strong retains", func(o *Outcome) uint64 { return o.Counts.StrongRetain }, false, true},
	{"strong_releases", "strong releases", func(o *Outcome) uint64 { return o.Counts.StrongRelease }, false, true},
	{"unowned_retains", "unowned retains", func(o *Outcome) uint64 { return o.Counts.UnownedRetain }, false, true},
	{"unowned_releases", "unowned releases", func(o *Outcome) uint64 { return o.Counts.UnownedRelease }, false, true},
	{"unowned_loads", "unowned loads", func(o *Outcome) uint64 { return o.Counts.UnownedLoad }, false, false},
	{"weak_stores", "weak stores", func(o *Outcome) uint64 { return o.Counts.WeakStore }, false, true},
	{"weak_loads", "weak loads", func(o *Outcome) uint64 { return o.Counts.WeakLoad }, false, true},
	{"weak_destroys", "weak destroys", func(o *Outcome) uint64 { return o.Counts.WeakDestroy }, false, false},
	{"unique_checks", "uniqueness checks", func(o *Outcome) uint64 { return o.Counts.UniqueCheck }, false, true},
	{"copies", "copies of values in memory", func(o *Outcome) uint64 { return o.Counts.CopyAddr }, false, true},
	{"allocations", "objects allocated", func(o *Outcome) uint64 { return o.Counts.AllocObject }, false, true},
	{"stack_objects", "objects on the stack", func(o *Outcome) uint64 { return o.Counts.AllocStack }, false, true},
	{"deinits", "deinits", func(o *Outcome) uint64 { return o.Counts.Deinit }, false, false},
	{"frees", "objects freed", func(o *Outcome) uint64 { return o.Counts.Dealloc }, false, false},
	{"raw_allocations", "raw allocations", func(o *Outcome) uint64 { return o.Counts.AllocRaw }, false, false},
	{"raw_frees", "raw frees", func(o *Outcome) uint64 { return o.Counts.FreeRaw }, false, false},
	{"accesses", "dynamic accesses", func(o *Outcome) uint64 { return o.Counts.Access }, false, true},
	{"calls", "calls", func(o *Outcome) uint64 { return o.Counts.Calls }, false, true},
	{"live_objects", "objects alive at exit", func(o *Outcome) uint64 { return o.Heap.LiveObjects }, false, false},
	{"peak_heap", "peak heap", func(o *Outcome) uint64 { return o.Heap.PeakBytes }, true, true},
	{"steps", "SIL instructions", func(o *Outcome) uint64 { return o.Steps }, false, true},
}

// metricByKey returns the metric of that key.
func metricByKey(key string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Key == key {
			return m, true
		}
	}
	return Metric{}, false
}
