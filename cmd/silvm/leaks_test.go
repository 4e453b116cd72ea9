package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLeaksNameTheRing: of three owners with children that refer back unowned, weakly and unmanaged, one is in a ring through its
// closure and one was retained once too often. Nothing else leaks on its own account, and no reference that does not own makes a ring.
func TestLeaksNameTheRing(t *testing.T) {
	var stdout, stderr bytes.Buffer
	file := filepath.Join("..", "..", "programs", "ordinary", "leaks", "O.sil")
	if status := run([]string{"run", "--color=never", "--leaks=report", file}, strings.NewReader(""), &stdout, &stderr); status != exitOK {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	got := regexp.MustCompile(`(?m)^(?:warning\[\w+\]|help): .*`).FindAllString(stderr.String(), -1)
	serial := regexp.MustCompile(`#\d+`)
	for n := range got {
		got[n] = serial.ReplaceAllString(got[n], "#N")
	}
	want := []string{
		"warning[SV0302]: strong references in a ring: Owner#N.handler -> Owner#N",
		"help: a closure in Owner#N.handler that captures weak or unowned would break the ring",
		"warning[SV0301]: Owner#N was never freed (1 strong references at exit)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nrun: silvm run --leaks=report %s", strings.Join(got, "\n"), strings.Join(want, "\n"), file)
	}
}

// TestLeaksCommand: the same program through silvm leaks, with pictures, and one that leaks nothing.
func TestLeaksCommand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	svg, dot := filepath.Join(dir, "heap.svg"), filepath.Join(dir, "heap.dot")
	file := filepath.Join("..", "..", "programs", "ordinary", "leaks", "O.sil")
	if status := run([]string{"leaks", "--color=never", "--svg", svg, "--dot", dot, file}, strings.NewReader(""), &stdout, &stderr); status != exitLeak {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	report := stderr.String()
	for _, want := range []string{"[SV0302]", ".handler -> Owner#", "[SV0301]", "no release goes with", "5 objects leak"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
	for name, want := range map[string]string{svg: "<svg", dot: "digraph"} {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), "Owner#") {
			t.Errorf("%s: %v\n%.300s", filepath.Base(name), err, text)
		}
	}
	stderr.Reset()
	clean := filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil")
	if status := run([]string{"leaks", clean}, strings.NewReader(""), &stdout, &stderr); status != exitOK || !strings.Contains(stderr.String(), "nothing leaks") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}
