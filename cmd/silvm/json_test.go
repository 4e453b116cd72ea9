package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"silvm/cmd/silvm/internal/console"
	"silvm/debugger"
	"silvm/loader"
	"silvm/vm"
	"silvm/vm/native"
)

// jsonRecords runs a command line with --json, checks every line against the schema and returns the records. The last one must be the
// summary, with the status that the command ended with.
func jsonRecords(t *testing.T, schema *jsonschema.Schema, stdin string, args ...string) []map[string]any {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(append(args, "--json"), strings.NewReader(stdin), &stdout, &stderr)
	var records []map[string]any
	for line := range strings.Lines(stdout.String()) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatalf("%q: not JSON: %v\n%s", args, err, line)
		}
		if err := schema.Validate(v); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, line)
		}
		record := map[string]any{}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	if len(records) == 0 {
		t.Fatalf("%q: no summary (status %d): %s", args, status, stderr.String())
	}
	last := records[len(records)-1]
	if last["type"] != "summary" || last["status"] != float64(status) || last["command"] != args[0] {
		t.Errorf("%q: status %d, but the last record is %v", args, status, last)
	}
	for _, r := range records[:len(records)-1] {
		if r["type"] == "summary" {
			t.Errorf("%q: a summary in the middle: %v", args, r)
		}
	}
	return records
}

func jsonSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "json.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Each command with --json prints records of the schema and nothing else, whatever becomes of it.
func TestJSONRecords(t *testing.T) {
	schema := jsonSchema(t)
	over, leak := filepath.Join("testdata", "debug", "over.sil"), filepath.Join("testdata", "debug", "leak.sil")
	classes := filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil")
	museum := func(name string) string { return filepath.Join("..", "..", "programs", "museum", name+".sil") }
	for _, c := range []struct {
		args  string
		types string // that must be there, besides the summary
	}{
		{"run " + classes, "output"},
		{"run -O --stats " + classes, "output stats"},
		{"run " + over, "output finding"},
		{"run --checks=full " + over, "output finding"},
		{"run --leaks=error " + leak, "output finding"},
		{"leaks " + leak, "output finding"},
		{"run nosuchfile.sil", ""},
		{"run", ""},
		{"run --nosuchflag", ""},
		{"check -", "finding"},
		{"check " + classes, ""},
		{"bench --runs 1 --per-pass " + classes, "program"},
		{"arc " + classes, "site waste"},
		{"validate " + classes, "verdict"},
		{"validate " + museum("retain_over_release_before"), "verdict"},
		{"validate --gen 2", ""},
		{"diff " + museum("deinit_twice_before") + " " + museum("deinit_twice_after"), "function"},
		{"diff --no-text " + classes + " nosuchfile.sil", ""},
		{"bisect " + classes, ""},
		{"features", "instruction"},
		{"library", ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for _, r := range jsonRecords(t, schema, "sil @f : $() -> () {\nbb0:\n  nosuchinstruction\n}\n", strings.Fields(c.args)...) {
				seen[r["type"].(string)] = true
			}
			for _, kind := range strings.Fields(c.types) {
				if !seen[kind] {
					t.Errorf("silvm %s: no record of type %s", c.args, kind)
				}
			}
		})
	}
}

// What the program prints arrives whole, and in order with the findings, whether it is text or not.
func TestJSONOutput(t *testing.T) {
	over := filepath.Join("testdata", "debug", "over.sil")
	var plain, said bytes.Buffer
	run([]string{"run", over}, strings.NewReader(""), &plain, &said)
	var text string
	for _, r := range jsonRecords(t, jsonSchema(t), "", "run", over) {
		switch r["type"] {
		case "output":
			text += r["text"].(string)
		case "finding":
			if text != plain.String() {
				t.Errorf("the finding came after %q of %q", text, plain.String())
			}
		}
	}
	if text != plain.String() || text == "" {
		t.Errorf("the records have %q, the run printed %q", text, plain.String())
	}

	var out bytes.Buffer
	j := console.NewJSON(&out)
	stream := j.Stream("stdout")
	for _, part := range []string{"a\nb", "\xc3", "\xa9\n", "\xff\n", "rest"} {
		if _, err := stream.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.End("run", 0, ""); err != nil {
		t.Fatal(err)
	}
	want := `{"stream":"stdout","text":"a\n","type":"output","version":1}
{"stream":"stdout","text":"bé\n","type":"output","version":1}
{"base64":"/wo=","stream":"stdout","type":"output","version":1}
{"stream":"stdout","text":"rest","type":"output","version":1}
{"command":"run","findings":0,"status":0,"type":"summary","version":1}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// A command whose product is text refuses --json, which it says in JSON, and leaves SILVM_JSON alone.
func TestJSONRefused(t *testing.T) {
	var stdout, stderr bytes.Buffer
	const want = `{"command":"explain","error":"silvm explain has no --json","findings":0,"status":64,"type":"summary","version":1}` + "\n"
	if status := run([]string{"explain", "SV0103", "--json"}, strings.NewReader(""), &stdout, &stderr); status != exitUsage || stdout.String() != want {
		t.Errorf("status %d, printed %q", status, stdout.String())
	}
	stdout.Reset()
	t.Setenv("SILVM_JSON", "true")
	if status := run([]string{"explain", "SV0103"}, strings.NewReader(""), &stdout, &stderr); status != exitOK || !strings.HasPrefix(stdout.String(), "SV0103") {
		t.Errorf("with SILVM_JSON: status %d, printed %q", status, stdout.String())
	}
}

// The commands that refuse --json exist.
func TestTextCommands(t *testing.T) {
	root := (&app{}).rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, name := range textCommands {
		if cmd, _, err := root.Find([]string{name}); err != nil || cmd == root {
			t.Errorf("no command %s: %v", name, err)
		}
	}
}

// The step of a finding is the one at which the debugger stops.
func TestJSONStep(t *testing.T) {
	schema := jsonSchema(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "programs", "museum", "*_after.sil"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range append(files, filepath.Join("testdata", "debug", "over.sil"), filepath.Join("testdata", "debug", "conflict.sil")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mod, diags := loader.Load(file, text, loader.Options{})
		if diags.Errors() > 0 {
			continue
		}
		d, err := debugger.New(mod, debugger.Config{VM: vm.Config{Args: []string{file}, Natives: native.Table(), Checks: vm.ChecksFull}})
		if err != nil {
			t.Fatal(err)
		}
		d.GotoEnd()
		for _, r := range jsonRecords(t, schema, "", "run", "--checks=full", file) {
			if step, ok := r["step"]; ok && r["severity"] == "error" {
				compared++
				if step != float64(d.Step()) {
					t.Errorf("%s: %v at step %v, the debugger stops at %d", file, r["code"], step, d.Step())
				}
			}
		}
	}
	if compared < 3 {
		t.Errorf("only %d findings had a step", compared)
	}
}

// debugScripts try every command of the debugger, on a program that leaks, one that uses an object after its end, one whose accesses
// conflict and one with tasks.
var debugScripts = map[string]string{
	"leak.sil": `break retain
log work hello
tbreak /work/
catch release
watch Node#1.strong
rwatch Node.value
awatch Node.value
set
disable 1 2
ignore 3 2
on 3 locals
condition 3 1 == 1
breakpoints
continue
enable 1
delete
display 1 + 1
undisplay 1
goto 10
step; next; rstep; rnext; rev step
until; finish; rfinish; run; restart; goto end
last Node#1
runtil bb0
rcontinue
goto end
bookmark here
diff 0
live
refcount Node#1
history Node#1 all
when Node#1
when
balance Node#1
why Node#1
cycles
weak Node#1
graph
x Node#1
find retains of Node
where self.n > 0
calls work
alias w = status
w
goto 12
print 1 + 1
print/x 1 + 1
call work()
print nobody()
whatis Node#1
locals
args
values
bt full
frame
up
down
list
list swift
disassemble
cfg
functions
globals
classes
sources
status
tasks
bt tasks
time step
accesses
borrows
help
apropos retain
transcript off
save /dev/null/nowhere
source nosuchfile
nosuchcommand
last Nobody#1
quit`,
	"over.sil":        "continue\naccesses\nhistory\nbalance\nrefcount\nbt",
	"conflict.sil":    "continue\naccesses\nbt full\nlocals",
	"race.sil.gz":     "goto 500\ntasks\nbt tasks",
	"cycle.sil.gz":    "goto end\ncycles\nleaks\nlive\ngraph",
	"inlined.sil":     "step 20\nbt\nlocals\nfind alloc",
	"dangling.sil.gz": "continue\nbt",
}

// Each command of debug --json prints one record of the schema, with data of the shape that belongs to its name; every command of the table
// is tried.
func TestJSONDebug(t *testing.T) {
	schema := jsonSchema(t)
	seen := map[string]bool{}
	table := ""
	textOnly := []string{"alias", "apropos", "help", "quit", "save", "source", "transcript", "undisplay"}
	for file, script := range debugScripts {
		commands := 0
		for _, r := range jsonRecords(t, schema, script, "debug", filepath.Join("testdata", "debug", file)) {
			if r["type"] != "debug" {
				continue
			}
			commands++
			name := r["name"].(string)
			seen[name] = true
			if name == "help" {
				table = r["text"].(string)
			}
			if r["data"] == nil && r["error"] == nil && !strings.Contains(" "+strings.Join(textOnly, " ")+" ", " "+name+" ") {
				t.Errorf("%s: %v told no data", file, r["command"])
			}
		}
		if want := 1 + len(regexp.MustCompile(`[\n;]`).FindAllString(script, -1)); commands < want {
			t.Errorf("%s: %d records for %d commands", file, commands, want)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(table, -1) {
		if !seen[m[1]] {
			t.Errorf("no script tries %s", m[1])
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d commands were tried", len(seen))
	}
}

// What the data say is what the words say.
func TestJSONDebugSays(t *testing.T) {
	leak := filepath.Join("testdata", "debug", "leak.sil")
	for _, r := range jsonRecords(t, jsonSchema(t), "goto end\nlive\nbalance Node#1\nprint Node#1", "debug", leak) {
		data, _ := r["data"].(map[string]any)
		switch r["command"] {
		case "goto end":
			end := data["end"].(map[string]any)
			if end["alive"] != float64(1) || data["reason"] != "end" {
				t.Errorf("the end: %v", data)
			}
		case "live":
			if classes := data["classes"].(map[string]any); data["total"] != float64(1) || classes["Node"] != float64(1) {
				t.Errorf("live: %v", data)
			}
		case "balance Node#1":
			if data["open"] != float64(1) || data["extra"] != float64(0) {
				t.Errorf("balance: %v", data)
			}
		case "print Node#1":
			if data["object"] != "Node#1" || data["counts"].(map[string]any)["strong"] != float64(1) {
				t.Errorf("print: %v", data)
			}
		}
	}
}

// spin prints a line and runs for ever.
const spin = `sil_stage canonical
import Builtin
import Swift
sil @putchar : $@convention(c) (Int32) -> Int32
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = integer_literal $Builtin.Int32, 10
  %3 = struct $Int32 (%2 : $Builtin.Int32)
  %4 = function_ref @putchar : $@convention(c) (Int32) -> Int32
  %5 = apply %4(%3) : $@convention(c) (Int32) -> Int32
  br bb1
bb1:
  br bb1
}
`

// What a program printed is written when it is told to end.
func TestOutputStaysOnSignals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spin.sil")
	if err := os.WriteFile(file, []byte(spin), 0o666); err != nil {
		t.Fatal(err)
	}
	ours := make(chan os.Signal, 1) // a signal before the program runs must not end the test
	signal.Notify(ours, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(ours)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for sig, status := range map[syscall.Signal]int{syscall.SIGTERM: exitTerminated, syscall.SIGINT: exitInterrupted} {
		var out, errs strings.Builder
		ended := make(chan int)
		go func() { ended <- run([]string{"run", file}, strings.NewReader(""), &out, &errs) }()
		again := time.NewTicker(300 * time.Millisecond)
		for running := true; running; {
			select {
			case <-again.C:
				if err := self.Signal(sig); err != nil {
					t.Fatal(err)
				}
			case got := <-ended:
				running = false
				if got != status || out.String() != "\n" {
					t.Errorf("%v: status %d, want %d; printed %q, %s", sig, got, status, out.String(), errs.String())
				}
			}
		}
		again.Stop()
	}
}

// A process that is told to end has a summary as its last record too, and the status that a shell shows of one that the signal ended.
func TestJSONEndsOnSignals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spin.sil")
	if err := os.WriteFile(file, []byte(spin), 0o666); err != nil {
		t.Fatal(err)
	}
	for sig, status := range map[syscall.Signal]int{syscall.SIGTERM: exitTerminated, syscall.SIGINT: exitInterrupted} {
		cmd := exec.Command("silvm", "leaks", "--json", file)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if last = lines.Text(); strings.Contains(last, `"output"`) { // it runs
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains(last, `"type":"summary"`) || !strings.Contains(last, fmt.Sprintf(`"status":%d`, status)) {
			t.Errorf("%v: status %d, want %d; the last record is %s", sig, got, status, last)
		}
	}
}
