package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"
)

// flags are the flags that every command knows.
type flags struct {
	verbose   bool
	quiet     bool
	json      bool
	color     choice
	seed      uint64
	maxSteps  count
	maxHeap   size
	maxDepth  count
	maxOutput size
	timeout   time.Duration
	untrusted bool
	source    []string // folders of Swift source
	checks    choice
	leaks     choice
	allowLeak []string // names of classes and functions, or files of them, @FILE
	library   []string // files, or a version, or none; empty: the one in the cache that fits
	target    string   // executable target of a package
	swiftc    string   // flags for the compiler
	env       []string // of the program, NAME=VALUE each
}

func (f *flags) register(fs *pflag.FlagSet) {
	f.color = choice{value: "auto", of: []string{"auto", "always", "never"}}
	f.checks = choice{value: "default", of: []string{"fast", "default", "full"}}
	f.leaks = choice{value: "off", of: []string{"off", "report", "error"}}
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "say more about what is done")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print findings and the program's output only")
	fs.BoolVar(&f.json, "json", false, "reports as JSON, one object a line; the last line is a summary")
	fs.Var(&f.color, "color", "colour: auto, always or never")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the program's random numbers and hashing, and of the order in which its tasks run")
	fs.Var(&f.maxSteps, "max-steps", "stop after so many SIL instructions (0: no limit)")
	fs.Var(&f.maxHeap, "max-heap", "most bytes of memory for the program, such as 256MiB")
	fs.Var(&f.maxDepth, "max-depth", "most calls under way at once, deinits included")
	fs.Var(&f.maxOutput, "max-output", "most bytes the program may print (0: no limit)")
	fs.DurationVar(&f.timeout, "timeout", 0, "stop after so much wall time, such as 2s (0: no limit)")
	fs.StringArrayVar(&f.source, "source", nil, "folder with the Swift source; may be given several times (beside the SIL it is found anyway)")
	fs.StringArrayVar(&f.env, "env", nil, "NAME=VALUE in the program's environment, which is empty otherwise; may be given several times")
	fs.BoolVar(&f.untrusted, "untrusted", false, "tight limits, for programs from elsewhere")
	fs.Var(&f.checks, "checks", "what is checked at run time: fast, default or full")
	fs.Var(&f.leaks, "leaks", "objects alive at exit: off, report or error")
	fs.StringArrayVar(&f.allowLeak, "allow-leak", nil, "tell no leak of this class, or of what this function makes; * stands for any text, @FILE for the lines of a file; may be given several times")
	fs.StringSliceVar(&f.library, "library", nil, "text of the standard library: files, a version in the cache such as 6.0.3, or none (silvm library --help)")
	fs.StringVar(&f.target, "target", "", "executable target of a Swift package")
	fs.StringVar(&f.swiftc, "swiftc", "", "flags for the compiler of Swift files, such as -Onone")
}

// environment checks the entries of --env. The last one of a name counts.
func (f *flags) environment() error {
	last := map[string]int{}
	for n, entry := range f.env {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.ContainsRune(entry, 0) {
			return failf(exitUsage, "--env: %q is not NAME=VALUE", entry)
		}
		last[name] = n
	}
	var kept []string
	for n, entry := range f.env {
		if name, _, _ := strings.Cut(entry, "="); last[name] == n {
			kept = append(kept, entry)
		}
	}
	f.env = kept
	return nil
}

// readLists puts the lines of the files that --allow-leak names in their places.
func (f *flags) readLists() error {
	var names []string
	for _, name := range f.allowLeak {
		file, isFile := strings.CutPrefix(name, "@")
		if !isFile {
			names = append(names, name)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return failf(exitNoInput, "--allow-leak: %v", err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				names = append(names, line)
			}
		}
	}
	f.allowLeak = names
	return nil
}

// fromEnvironment sets each flag that the command line left alone from SILVM_<FLAG>.
func (f *flags) fromEnvironment(fs *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var err error
	fs.VisitAll(func(fl *pflag.Flag) {
		name := "SILVM_" + strings.ToUpper(strings.ReplaceAll(fl.Name, "-", "_"))
		if v, ok := lookup(name); ok && !fl.Changed && err == nil {
			if e := fs.Set(fl.Name, v); e != nil {
				err = failf(exitUsage, "%s: %v", name, e)
			}
		}
	})
	return err
}

// limits are the bounds of one run; 0 means none.
type limits struct {
	steps, heapBytes, objects, depth, output uint64
	timeout                                  time.Duration
	fileBytes, nesting                       int
}

// limits returns the bounds that the flags ask for, on top of the defaults or of --untrusted.
func (f *flags) limits() limits {
	l := limits{heapBytes: 4 << 30, depth: 1_000_000, fileBytes: 256 << 20, nesting: 1000}
	if f.untrusted {
		l = limits{steps: 100_000_000, heapBytes: 256 << 20, objects: 2_000_000, depth: 10_000, output: 1 << 20,
			timeout: 10 * time.Second, fileBytes: 16 << 20, nesting: 200}
	}
	set := func(to *uint64, v uint64, given bool) {
		if given {
			*to = v
		}
	}
	set(&l.steps, uint64(f.maxSteps.n), f.maxSteps.set)
	set(&l.heapBytes, uint64(f.maxHeap.n), f.maxHeap.set)
	set(&l.depth, uint64(f.maxDepth.n), f.maxDepth.set)
	set(&l.output, uint64(f.maxOutput.n), f.maxOutput.set)
	if f.timeout > 0 {
		l.timeout = f.timeout
	}
	return l
}

// choice is a flag with a fixed set of values.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }
func (c *choice) Set(s string) error {
	if slices.Contains(c.of, s) {
		c.value = s
		return nil
	}
	return fmt.Errorf("must be one of %s", strings.Join(c.of, ", "))
}

// size is a number of bytes, read and shown as people write it: 256MiB.
type size struct {
	n   uint64
	set bool
}

func (s *size) String() string {
	if !s.set {
		return ""
	}
	return humanize.IBytes(s.n)
}
func (s *size) Type() string { return "size" }
func (s *size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return fmt.Errorf("not a size: %q (such as 256MiB)", text)
	}
	s.n, s.set = n, true
	return nil
}

// count is a number that may be written with separators or an SI suffix: 1000000, 1_000_000, 1M.
type count struct {
	n   uint64
	set bool
}

func (c *count) String() string {
	if !c.set {
		return ""
	}
	return humanize.Comma(int64(c.n))
}
func (c *count) Type() string { return "count" }
func (c *count) Set(text string) error {
	clean := strings.NewReplacer("_", "", ",", "").Replace(text)
	v, unit, err := humanize.ParseSI(clean)
	if err != nil || unit != "" || v < 0 || v >= 1<<63 {
		return fmt.Errorf("not a count: %q (such as 1000000 or 1M)", text)
	}
	c.n, c.set = uint64(v), true
	return nil
}
