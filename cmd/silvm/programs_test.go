package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"silvm/loader/siltest"
)

// expectation is what a native run of a program printed and ended with (programs/README.md).
type expectation struct {
	exit   int
	stdout string
}

func readExpectation(t *testing.T, name string) expectation {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, stdout, ok := strings.Cut(string(data), "stdout:\n")
	if !ok {
		t.Fatalf("%s: no line \"stdout:\"", name)
	}
	m := regexp.MustCompile(`(?m)^exit: (\d+)$`).FindStringSubmatch(head)
	if m == nil {
		t.Fatalf("%s: no line \"exit: N\"", name)
	}
	exit, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return expectation{exit, stdout}
}

// silvmStatus maps the status of a native process to silvm's: both kinds of native trap are 134.
func silvmStatus(native int) int {
	if native == 132 || native == 133 || native == 134 {
		return exitTrap
	}
	return native
}

// sources finds the SIL files of the corpus that have a recorded result.
func recorded(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, p := range patterns {
		files, err := filepath.Glob(filepath.Join("..", "..", "programs", filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			expected := strings.TrimSuffix(strings.TrimSuffix(f, ".gz"), ".sil") + ".expected"
			if _, err := os.Stat(expected); err == nil {
				found[f] = expected
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("no recorded programs in %v", patterns)
	}
	return found
}

// runAsRecorded runs a program and compares output and status with what is recorded.
func runAsRecorded(t *testing.T, file, expected string) {
	t.Helper()
	want := readExpectation(t, expected)
	var stdout, stderr bytes.Buffer
	status := run([]string{"run", "--color=never", file}, strings.NewReader(""), &stdout, &stderr)
	if status != silvmStatus(want.exit) {
		t.Errorf("exit status %d, want %d\nstderr: %.2000s\nrun: silvm run %s", status, silvmStatus(want.exit), stderr.String(), file)
	}
	if stdout.String() != want.stdout {
		t.Errorf("stdout differs from %s:\n%s\nrun: silvm run %s", expected, firstDifference(stdout.String(), want.stdout), file)
	}
}

// TestRecordedPrograms runs the corpus and compares with what the real compiler's programs printed.
func TestRecordedPrograms(t *testing.T) {
	for file, expected := range recorded(t, "embedded/*/*.sil", "embedded/*/*.sil.gz", "ordinary/*/*.sil", "ordinary/*/*.sil.gz",
		"kernels/*/*.sil.gz", "raw/*/*.sil", "counts/*.sil", "seeds/*.sil", "museum/*.sil") {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "../../programs/"), func(t *testing.T) {
			t.Parallel()
			runAsRecorded(t, file, expected)
		})
	}
}

// brokenOnPurpose are the recorded programs that break a rule which only full checking looks at: a native run does not notice, because the
// SIL is compiled so, or because it goes well most of the time.
var brokenOnPurpose = map[string]string{
	"embedded/overlapping":   "SV0201",
	"ordinary/continuations": "SV1004", // waits in a loop for a variable that another task sets
}

// TestRecordedProgramsFullChecks runs the corpus under --checks=full: nothing of what the compiler made may be a finding, and the
// results are the same.
func TestRecordedProgramsFullChecks(t *testing.T) {
	for file, expected := range recorded(t, "embedded/*/*.sil", "embedded/*/*.sil.gz", "ordinary/*/*.sil", "ordinary/*/*.sil.gz",
		"raw/*/*.sil", "counts/*.sil", "seeds/*.sil", "museum/*.sil") {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../../programs/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := readExpectation(t, expected)
			var stdout, stderr bytes.Buffer
			status := run([]string{"run", "--color=never", "--checks=full", "--leaks=off", file}, strings.NewReader(""), &stdout, &stderr)
			if code := brokenOnPurpose[path.Dir(name)]; code != "" {
				if !hasCode(stderr.String(), []string{code}) {
					t.Errorf("status %d, want a finding %s; stderr: %.2000s", status, code, stderr.String())
				}
				return
			}
			if status != silvmStatus(want.exit) {
				t.Errorf("exit status %d, want %d\nstderr: %.2000s\nrun: silvm run --checks=full %s", status, silvmStatus(want.exit), stderr.String(), file)
			}
			if stdout.String() != want.stdout {
				t.Errorf("stdout differs from %s:\n%s\nrun: silvm run --checks=full %s", expected, firstDifference(stdout.String(), want.stdout), file)
			}
		})
	}
}

// TestNewerPrograms runs the programs that a newer compiler printed, and reads and prints them: the text says the same whichever way operands
// are printed, and verifies.
func TestNewerPrograms(t *testing.T) {
	const folder = siltest.Newer + "/*/*/*"
	for file, expected := range recorded(t, folder+".sil", folder+".sil.gz") {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "../../programs/"), func(t *testing.T) {
			t.Parallel()
			runAsRecorded(t, file, expected)
			without := formatted(t, "", file, "--print-types=false")
			if with := formatted(t, without, "-", "--print-types"); with != formatted(t, "", file, "--print-types") {
				t.Error("the print without types tells other types")
			}
			var stdout, stderr bytes.Buffer
			if status := run([]string{"check", "--color=never", "--library=none", file}, strings.NewReader(""), &stdout, &stderr); status != 0 {
				t.Errorf("silvm check %s: status %d, %.2000s", file, status, stderr.String())
			}
		})
	}
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for n := range max(len(g), len(w)) {
		a, b := "<end>", "<end>"
		if n < len(g) {
			a = g[n]
		}
		if n < len(w) {
			b = w[n]
		}
		if a != b {
			return "line " + strconv.Itoa(n+1) + ":\n got  " + a + "\n want " + b
		}
	}
	return "no line differs"
}

// findings maps the kinds that programs name to the codes that silvm reports them with.
var findings = map[string][]string{
	"use-after-free":       {"SV0103"},
	"over-release":         {"SV0104", "SV0118", "SV0103"},
	"exclusivity-conflict": {"SV0201"},
	"dangling-unowned":     {"SV0108"},
	"escaped-deinit":       {"SV0107"},
	"leak":                 {"SV0301", "SV0302"},
	"borrow-scope":         {"SV0406"},
	"nil":                  {"SV0704"},
	"uninitialized":        {"SV0109"},
	"out-of-bounds":        {"SV0110"},
	"dangling-stack":       {"SV0113"},
	"borrowed-location":    {"SV0114"},
	"unmarked-access":      {"SV0202"},
	"access-kind":          {"SV0203"},
	"ownership":            {"SV0401", "SV0402"},
	"initialized-memory":   {"SV0412"},
}

// TestBrokenPrograms runs the hand-written programs that break a rule: each must end in its finding, which names an object of
// the class that the program says.
func TestBrokenPrograms(t *testing.T) {
	expect := regexp.MustCompile(`(?m)^// expect: finding ([a-z-]+)(?: (\S+))?`)
	n := 0
	for _, dir := range []string{"seeds", "trap", "museum"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "programs", dir, "*.sil"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := expect.FindStringSubmatch(string(text))
			if m == nil {
				continue
			}
			n++
			t.Run(dir+"/"+filepath.Base(file), func(t *testing.T) {
				var stdout, stderr bytes.Buffer
				args := []string{"run", "--color=never", "--leaks=error", file}
				if strings.Contains(string(text), "\n// checks: full\n") {
					args = slices.Insert(args, 1, "--checks=full")
				}
				status := run(args, strings.NewReader(""), &stdout, &stderr)
				report := stderr.String()
				if status == exitOK || status == exitUnsupported || status == exitBug || !hasCode(report, findings[m[1]]) || !strings.Contains(report, m[2]) {
					t.Errorf("status %d, want a finding %s about %s; stderr:\n%s\nrun: silvm run %s", status, m[1], m[2], report, strings.Join(args[1:], " "))
				}
			})
		}
	}
	if n == 0 {
		t.Fatal("no program says which finding it must end in")
	}
}

func hasCode(report string, codes []string) bool {
	for _, c := range codes {
		if strings.Contains(report, "["+c+"]") {
			return true
		}
	}
	return false
}

// optimizedWrong are programs that run -O did not keep once, because a pass or a fact that it asked was unsound.
var optimizedWrong = []string{"embedded/leavingcallee", "embedded/uniqueness", "embedded/deinitorder", "embedded/calledlater",
	"embedded/madeclosures"}

// TestOptimizedPrograms runs them, and what a newer compiler prints, optimized.
func TestOptimizedPrograms(t *testing.T) {
	for _, dir := range append([]string{"swift-6.2/embedded/*", "swift-6.2/ordinary/*"}, optimizedWrong...) {
		for file, expected := range recorded(t, dir+"/*.sil", dir+"/*.sil.gz") {
			if name := filepath.Base(filepath.Dir(file)); brokenOnPurpose["embedded/"+name] != "" {
				continue
			}
			t.Run(strings.TrimPrefix(filepath.ToSlash(file), "../../programs/"), func(t *testing.T) {
				t.Parallel()
				want := readExpectation(t, expected)
				var stdout, stderr bytes.Buffer
				status := run([]string{"run", "-O", "--color=never", file}, strings.NewReader(""), &stdout, &stderr)
				if status != silvmStatus(want.exit) {
					t.Errorf("exit status %d, want %d\nstderr: %.2000s\nrun: silvm run -O %s", status, silvmStatus(want.exit), stderr.String(), file)
				}
				if stdout.String() != want.stdout {
					t.Errorf("stdout differs from %s:\n%s\nrun: silvm run -O %s", expected, firstDifference(stdout.String(), want.stdout), file)
				}
			})
		}
	}
}
