package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/debugger/debugtest"
	"silvm/debugger/report"
	"silvm/ir"
	"silvm/loader"
	"silvm/vm"
	"silvm/vm/measure"
	"silvm/vm/native"
)

// page writes the page of a program.
func page(t *testing.T, file string) string {
	t.Helper()
	text := debugtest.Read(t, file)
	load := func() (*ir.Module, error) {
		mod, diags := loader.Load(file, text, loader.Options{})
		return mod, diags.Err()
	}
	cfg := vm.Config{Natives: native.Table()}
	c, err := measure.Compare(file, load, measure.Options{Config: cfg, Runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	mod, err := load()
	if err != nil {
		t.Fatal(err)
	}
	traffic, err := measure.Trace(mod, cfg, false)
	if err != nil {
		t.Fatal(err)
	}
	d, err := debugger.New(mod, debugger.Config{VM: cfg})
	if err != nil {
		t.Fatal(err)
	}
	d.GotoEnd()
	var out bytes.Buffer
	if err := report.Write(&out, report.Input{Title: file, Comparison: c, Traffic: traffic, Debugger: d, Swift: debugtest.Swift()}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What the page's script looks up is there: the life of each object that is named, and the lines that places lead to.
func TestLivesAndSources(t *testing.T) {
	text := page(t, "leak.sil")
	_, rest, _ := strings.Cut(text, `<script type="application/json" id="data">`)
	raw, _, _ := strings.Cut(rest, "</script>")
	var data struct {
		Texts []struct {
			Name  string
			First int
			Lines []string
		}
		Lives map[string][]struct {
			Step        int
			Kind, After string
			Link        *struct{ Swift, SwiftLine, SIL, SILLine int }
		}
		Last  int
		Times []int
		Lanes [][]int
	}
	if err := json.Unmarshal([]byte(raw), &data); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range data.Lives["Node#1"] {
		kinds = append(kinds, e.Kind+" "+e.After)
		if e.Link == nil || e.Link.SIL < 0 {
			t.Errorf("step %d has no place", e.Step)
			continue
		}
		sil, swift := data.Texts[e.Link.SIL], data.Texts[e.Link.Swift]
		if line := sil.Lines[e.Link.SILLine-sil.First]; !strings.Contains(line, "Node") || swift.Name != "leak.swift" || swift.Lines[e.Link.SwiftLine-swift.First] == "" {
			t.Errorf("step %d, a %s, leads to %q", e.Step, e.Kind, line)
		}
	}
	if got := strings.Join(kinds, ", "); got != "alloc strong 1, retain strong 2, retain strong 3, release strong 2, release strong 1" {
		t.Errorf("the life of Node#1: %s", got)
	}
	for _, m := range regexp.MustCompile(`data-life="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if name := strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(m[1]); data.Lives[name] == nil {
			t.Errorf("%s is named, and its life is not told", name)
		}
	}
	if !regexp.MustCompile(`leak\.swift:13</[^>]*>[^<]*(<[^>]*>)?work\(\)`).MatchString(text) {
		t.Error("the page does not say that work() makes Node#1")
	}
	n := len(data.Times) - 1
	if data.Lanes[0][n] != 1 || data.Lanes[1][n] != 1 || data.Lanes[2][n]-data.Lanes[3][n] != 1 || data.Last != 354 {
		t.Errorf("at the end: %d alive, %d held, step %d", data.Lanes[0][n], data.Lanes[1][n], data.Last)
	}
	if m := regexp.MustCompile(`[>" ](\+Inf|NaN)[<" %]|href=|src=|https?://[^w]`).FindString(text); m != "" {
		t.Errorf("the page has %q", m)
	}
}

// In a browser, if one is named by SILVM_BROWSER, the script runs without an error: a click opens a life.
func TestInBrowser(t *testing.T) {
	browser := os.Getenv("SILVM_BROWSER")
	if browser == "" {
		t.Skip("SILVM_BROWSER names no Chromium")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	text := strings.Replace(page(t, "leak.sil"), "</body>", `<script>document.querySelector("[data-life]").click()</script></body>`, 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file).Output()
	if err != nil || !bytes.Contains(out, []byte("the life of Node#1")) || !bytes.Contains(out, []byte("strong 3")) {
		t.Errorf("%v: %.2000s", err, out)
	}
}
