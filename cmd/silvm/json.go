package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"silvm/ir/source"
)

// jsonFields are the fields of one record, beside its version and type.
type jsonFields map[string]any

// textCommands are the commands whose product is text on stdout: --json means nothing to them.
var textCommands = []string{"completion", "dap", "explain", "fmt", "gen", "help", "lsp", "opt", "reduce", "web"}

// jsonOut writes what a command says with --json: one object a line, and a summary at the end. What the program prints is a record like
// any other, so that a reader never meets a line that is no JSON.
type jsonOut struct {
	to       io.Writer
	streams  []*jsonStream
	summary  jsonFields
	findings int
}

// record writes one record, behind what the program printed before it.
func (j *jsonOut) record(kind string, fields jsonFields) error {
	j.flush()
	return j.write(kind, fields)
}

// flush writes what the program printed and no end of line has come for.
func (j *jsonOut) flush() {
	for _, s := range j.streams {
		s.flush(len(s.rest))
	}
}

// write writes one record without regard for pending ones.
func (j *jsonOut) write(kind string, fields jsonFields) error {
	line := jsonFields{"version": source.JSONVersion, "type": kind}
	for name, v := range fields {
		line[name] = v
	}
	return j.value(line)
}

// value writes a record that has its version and type.
func (j *jsonOut) value(record any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record); err != nil {
		return err
	}
	return j.line(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
}

// line writes a record that is JSON already.
func (j *jsonOut) line(text []byte) error {
	if _, err := j.to.Write(append(text, '\n')); err != nil {
		return failf(exitNoOutput, "%v", err)
	}
	return nil
}

// finding writes a finding that is JSON already, behind what the program printed before it.
func (j *jsonOut) finding(text []byte) error {
	j.flush()
	j.findings++
	return j.line(text)
}

// end writes the summary: what the command said of itself, its name, the exit status, the number of findings, and the message of an
// error.
func (j *jsonOut) end(command string, status int, msg string) error {
	fields := jsonFields{"command": command, "status": status, "findings": j.findings}
	if msg != "" {
		fields["error"] = msg
	}
	for name, v := range j.summary {
		fields[name] = v
	}
	return j.record("summary", fields)
}

// stream returns the writer for one of the program's streams, "stdout" or "stderr".
func (j *jsonOut) stream(name string) io.Writer {
	s := &jsonStream{out: j, name: name}
	j.streams = append(j.streams, s)
	return s
}

// jsonStream makes records of what the program prints: whole lines as soon as they end, the rest in front of the next record.
type jsonStream struct {
	out  *jsonOut
	name string
	rest []byte
}

// mostPending bounds the bytes that wait for the end of their line.
const mostPending = 64 << 10

func (s *jsonStream) Write(b []byte) (int, error) {
	s.rest = append(s.rest, b...)
	end := bytes.LastIndexByte(s.rest, '\n') + 1
	if end == 0 && len(s.rest) >= mostPending {
		end = wholeRunes(s.rest)
	}
	if err := s.flush(end); err != nil {
		return 0, err
	}
	return len(b), nil
}

// flush writes the first n bytes as a record: text, or base64 where they are not UTF-8.
func (s *jsonStream) flush(n int) error {
	if n == 0 {
		return nil
	}
	fields := jsonFields{"stream": s.name}
	if part := s.rest[:n]; utf8.Valid(part) {
		fields["text"] = string(part)
	} else {
		fields["base64"] = base64.StdEncoding.EncodeToString(part)
	}
	s.rest = append(s.rest[:0], s.rest[n:]...)
	return s.out.write("output", fields)
}

// programStreams returns the streams for what the program prints.
func (a *app) programStreams() (stdout, stderr io.Writer) {
	if a.flags.json {
		return a.json.stream("stdout"), a.json.stream("stderr")
	}
	return programOutput(a.out), programOutput(a.err)
}

// record writes one record of --json.
func (a *app) record(kind string, fields jsonFields) error { return a.json.record(kind, fields) }

// summarize keeps what the summary at the end of --json says beside the status.
func (a *app) summarize(fields jsonFields) { a.json.summary = fields }

// acceptJSON refuses --json on the command line of a command whose product is text; from the environment it means nothing there.
func (a *app) acceptJSON(cmd *cobra.Command, onCommandLine bool) error {
	if !a.flags.json || !slices.Contains(textCommands, topName(cmd)) {
		return nil
	}
	a.flags.json = false
	if onCommandLine {
		return failf(exitUsage, "silvm %s prints text: it has no --json", topName(cmd))
	}
	return nil
}

// topName is the name of the sub-command of silvm that cmd is or belongs to.
func topName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}
