package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/debugger/debugtest"
	"silvm/debugger/repl"
	"silvm/debugger/web"
)

// page serves a program; path is the address of its page.
func page(t *testing.T, file string) (server *httptest.Server, path string) {
	t.Helper()
	output := &web.Output{}
	d := debugtest.Open(t, file, output)
	output.Step = d.Step
	swift := debugtest.Swift()
	c := repl.NewConsole(d, repl.Config{Swift: swift})
	cfg := web.Config{Title: file, Swift: swift, Console: c, Output: output}
	var answer http.HandlerFunc
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r) }))
	t.Cleanup(server.Close)
	cfg.Hosts = []string{strings.TrimPrefix(server.URL, "http://")}
	s := web.New(d, cfg)
	answer = s.Answer
	return server, server.URL + s.Path()
}

type object = map[string]any

// post asks for something and returns the answer.
func post(t *testing.T, url string, body string) object {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s %v", url, r.Status, text, err)
	}
	out := object{}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v: %s", url, err, text)
	}
	return out
}

// at walks into an answer: at(x, "stop", "frame", "function").
func at(x any, names ...string) any {
	for _, n := range names {
		o, ok := x.(object)
		if !ok {
			return nil
		}
		x = o[n]
	}
	return x
}

// Nobody gets at the session who does not know the token, comes under another name (DNS rebinding), from another page or with a form.
func TestWhoMayAsk(t *testing.T) {
	server, path := page(t, "leak.sil")
	for name, c := range map[string]struct {
		method, url, host, origin, kind string
		want                            int
	}{
		"page":              {"GET", path, "", "", "", 200},
		"script":            {"GET", path + "app.js", "", "", "", 200},
		"state":             {"POST", path + "state", "", "", "application/json", 200},
		"same page":         {"POST", path + "state", "", server.URL, "application/json; charset=utf-8", 200},
		"no token":          {"GET", server.URL + "/", "", "", "", 404},
		"wrong token":       {"POST", server.URL + "/0123456789abcdef0123456789abcdef/state", "", "", "application/json", 404},
		"half a token":      {"POST", path[:len(path)-9] + "/state", "", "", "application/json", 404},
		"other host":        {"POST", path + "state", "evil.example", "", "application/json", 421},
		"other port":        {"GET", path, "127.0.0.1:1", "", "", 421},
		"other page":        {"POST", path + "do", "", "http://evil.example", "application/json", 403},
		"page without name": {"POST", path + "do", "", "null", "application/json", 403},
		"form":              {"POST", path + "do", "", "", "text/plain", 415},
		"no kind":           {"POST", path + "do", "", "", "", 415},
		"read by GET":       {"GET", path + "state", "", "", "", 404},
		"no such file":      {"GET", path + "../server.go", "", "", "", 404},
		"deleted":           {"DELETE", path + "state", "", "", "", 405},
		"nothing to ask":    {"POST", path + "nosuch", "", "", "application/json", 404},
	} {
		r, err := http.NewRequest(c.method, c.url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if c.host != "" {
			r.Host = c.host
		}
		for header, v := range map[string]string{"Origin": c.origin, "Content-Type": c.kind} {
			if v != "" {
				r.Header.Set(header, v)
			}
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, got.Status, c.want)
		}
		if policy := got.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src 'self' 'unsafe") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
	}
}

// The page loads nothing from elsewhere and holds no code of its own besides the script.
func TestPageIsWhole(t *testing.T) {
	files, err := filepath.Glob("assets/*")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`(https?:)?//[a-z]+\.[a-z]|@import|url\(|eval\(|<script>| on[a-z]+="`).Find(text); m != nil {
			t.Errorf("%s has %q", name, m)
		}
	}
}

// Moves go both ways, and the state at a step is the same however one comes there.
func TestTime(t *testing.T) {
	_, path := page(t, "leak.sil")
	first := post(t, path+"state", "{}")
	if at(first, "stop", "step") != float64(0) || at(first, "surveyed") != false {
		t.Fatalf("the first state: %v", first)
	}
	whole := post(t, path+"survey", "{}")
	if at(whole, "stop", "step") != float64(0) || at(whole, "surveyed") != true || at(whole, "output") != "" {
		t.Errorf("after the survey the run stands at %v, printed %q", at(whole, "stop", "step"), at(whole, "output"))
	}
	last := at(whole, "last").(float64)
	if findings := at(whole, "findings").([]any); len(findings) != 1 || at(findings[0], "code") != "SV0301" {
		t.Errorf("findings: %v", at(whole, "findings"))
	}
	end := post(t, path+"do", `{"line":"goto end"}`)
	if at(end, "stop", "step") != last || at(end, "stop", "end", "alive") != float64(1) || at(end, "output") != "3\ndeinit 2\ndone\n" {
		t.Errorf("the end: %v, last %v", end, last)
	}
	states := map[int]object{}
	for n := 0; n <= int(last); n += 13 {
		states[n] = post(t, path+"do", `{"line":"goto `+itoa(n)+`"}`)
	}
	for n := int(last) / 13 * 13; n >= 0; n -= 13 {
		again := post(t, path+"do", `{"line":"goto `+itoa(n)+`"}`)
		for _, part := range []string{"frames", "locals", "values", "classes", "output", "line", "symbol"} {
			a, _ := json.Marshal(states[n][part])
			b, _ := json.Marshal(again[part])
			if !bytes.Equal(a, b) {
				t.Errorf("step %d: %s is %s forwards and %s backwards", n, part, a, b)
			}
		}
	}
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// What is told of an object is what the debugger's commands tell; a finding leads to its moment; errors are told.
func TestViews(t *testing.T) {
	_, path := page(t, "leak.sil")
	post(t, path+"survey", "{}")
	moment := post(t, path+"moment", `{"code":"SV0301"}`)
	if at(moment, "stop", "frame", "function") != "keep(_:)" {
		t.Errorf("the finding leads to %v", at(moment, "stop"))
	}
	locals := at(moment, "locals").([]any)
	if len(locals) != 1 || at(locals[0], "object") != "Node#1" || at(locals[0], "counts", "strong") != float64(1) {
		t.Errorf("locals there: %v", locals)
	}
	post(t, path+"do", `{"line":"goto end"}`)
	life := post(t, path+"object", `{"name":"Node#1"}`)
	events := at(life, "events").([]any)
	if at(life, "balance", "open") != float64(1) || at(life, "root") != nil || len(events) < 3 || at(events[0], "kind") != "alloc" {
		t.Errorf("the life: %v", life)
	}
	for _, e := range events { // a click on a step goes to where it happens
		s := post(t, path+"do", `{"line":"goto `+itoa(int(at(e, "step").(float64)))+`"}`)
		if at(s, "line") != at(e, "place", "line") && at(e, "kind") != "alloc" {
			t.Errorf("event %v, but there the run stands at line %v", e, at(s, "line"))
		}
	}
	graph := post(t, path+"graph", `{"name":"Node#1"}`)
	if svg, _ := graph["svg"].(string); !strings.Contains(svg, `data-object="Node#1"`) {
		t.Errorf("the picture: %v", graph)
	}
	body := post(t, path+"body", `{"symbol":"`+at(moment, "symbol").(string)+`"}`)
	if lines := at(body, "lines").([]any); len(lines) != 8 || !strings.Contains(at(lines[0], "text").(string), "keep") {
		t.Errorf("the body: %v", body)
	}
	swift := post(t, path+"swift", `{"file":"leak.swift"}`)
	if lines := at(swift, "lines").([]any); len(lines) < 20 || at(lines[0], "text") != "final class Node {" {
		t.Errorf("the source: %v", swift)
	}
	for _, file := range []string{"/etc/passwd", "../../debugger/web/server.go", "nosuch.swift"} {
		if lines := at(post(t, path+"swift", `{"file":"`+file+`"}`), "lines").([]any); len(lines) != 0 {
			t.Errorf("%s is shown", file)
		}
	}
	for url, body := range map[string]string{"object": `{"name":"Nobody#7"}`, "graph": `{"name":"Nobody#7"}`, "body": `{"symbol":"nosuch"}`, "do": `{"line":"quit"}`, "moment": `{"code":"SV9999"}`} {
		if post(t, path+url, body)["error"] == nil {
			t.Errorf("%s %s is no error", url, body)
		}
	}
	if text := post(t, path+"do", `{"line":"nosuchcommand"}`)["text"].(string); !strings.Contains(text, "no command nosuchcommand") {
		t.Errorf("the console says %q", text)
	}
	if c := post(t, path+"complete", `{"line":"histo"}`)["words"].([]any); len(c) != 1 || c[0] != "history" {
		t.Errorf("completion offers %v", c)
	}
}

// A run that is under way tells where it is and can be stopped; the page then shows where it stands.
func TestProgramThatTraps(t *testing.T) {
	_, path := page(t, "over.sil")
	whole := post(t, path+"survey", "{}")
	findings := at(whole, "findings").([]any)
	if len(findings) != 1 || at(whole, "stop", "step") != float64(0) {
		t.Fatalf("the survey: %v", whole)
	}
	code := at(findings[0], "code").(string)
	there := post(t, path+"moment", `{"code":"`+code+`"}`)
	if at(there, "stop", "end", "code") != code || at(there, "stop", "frame") == nil {
		t.Errorf("at the finding: %v", at(there, "stop"))
	}
}

// In a browser, if one is named by SILVM_BROWSER: the page shows the program without an error.
func TestInBrowser(t *testing.T) {
	browser := os.Getenv("SILVM_BROWSER")
	if browser == "" {
		t.Skip("SILVM_BROWSER names no Chromium")
	}
	_, path := page(t, "leak.sil")
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>leak.sil — silvm</title>", `class="op">function_ref`, "final class Node", "Findings 1", "of 354"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("the page lacks %q:\n%s", want, out)
		}
	}
}
