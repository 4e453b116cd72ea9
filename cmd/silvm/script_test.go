package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the sessions show into the scripts")

// TestMain makes this binary the silvm of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(hermetic{m}, map[string]func(){"silvm": main})
}

// hermetic are tests without what the cache of the user has.
type hermetic struct{ *testing.M }

func (h hermetic) Run() int {
	os.Setenv("SILVM_LIBRARY", "none")
	return h.M.Run()
}

// Scripts are whole sessions: commands, and what they show. The programs are those of testdata/debug and of programs.
func TestScripts(t *testing.T) {
	debug, err := filepath.Abs(filepath.Join("testdata", "debug"))
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Abs(filepath.Join("..", "..", "programs"))
	if err != nil {
		t.Fatal(err)
	}
	library, err := filepath.Abs(filepath.Join("..", "..", "loader", "testdata", "library"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("DEBUG", debug)
			e.Setenv("PROGRAMS", programs)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("LIBRARY", library)
			e.Setenv("GOCOVERDIR", os.Getenv("GOCOVERDIR"))
			return nil
		},
	})
}

// What README shows of a session is what the session shows; lines with an ellipsis stand for several.
func TestReadmeSession(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "$ silvm debug --at SV0104 over.sil\n")
	block, _, _ := strings.Cut(rest, "```")
	t.Chdir(filepath.Join("testdata", "debug"))
	args := []string{"debug", "--color=never", "--library=none", "--at", "SV0104", "over.sil"}
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "(silvm) "); ok {
			args = append(args, "--ex", command)
		}
	}
	var stdout, stderr bytes.Buffer
	run(args, strings.NewReader(""), &stdout, &stderr)
	got := strings.Split(stderr.String()+stdout.String(), "\n")
	for line := range strings.Lines(block) {
		if line = strings.TrimRight(line, " \n"); line != "…" && !slices.ContainsFunc(got, func(l string) bool { return strings.TrimRight(l, " ") == line }) {
			t.Errorf("README shows %q, the session does not", line)
		}
	}
}
