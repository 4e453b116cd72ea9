package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportIsWhole: the page of a leaking program has every part, names the ring, and asks for nothing from outside.
func TestReportIsWhole(t *testing.T) {
	var stdout, stderr bytes.Buffer
	page := filepath.Join(t.TempDir(), "out.html")
	file := filepath.Join("..", "..", "programs", "ordinary", "leaks", "O.sil")
	if status := run([]string{"report", file, "-o", page}, strings.NewReader(""), &stdout, &stderr); status != exitOK || stdout.Len() > 0 {
		t.Fatalf("status %d, stdout %q, stderr %s", status, stdout.String(), stderr.String())
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{"SV0302", "Live objects over the run", "<polyline", "retains and releases", "The heap at exit", "Owner#", "Pairs that nothing needed", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, outside := range []string{"src=", "href=", "@import", "url("} {
		if n := strings.Count(text, outside); n > 0 && outside != "url(" || strings.Contains(text, "url(http") {
			t.Errorf("the page asks for something by %q", outside)
		}
	}
}
