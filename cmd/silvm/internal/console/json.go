package console

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"sync"
	"unicode/utf8"

	"silvm/ir/source"
)

// Fields are the fields of one record, beside its version and type.
type Fields map[string]any

// JSON writes what a command says with --json: one object a line, and a summary at the end. What the program prints is a record like
// any other, so that a reader never meets a line that is no JSON.
type JSON struct {
	to       io.Writer
	lock     sync.Mutex // of the last record of a process that is told to end
	closed   bool
	streams  []*jsonStream
	summary  Fields
	findings int
}

// NewJSON returns what writes records to a stream.
func NewJSON(to io.Writer) *JSON { return &JSON{to: to} }

// Version returns the record that says what silvm is.
func (j *JSON) Version(build, platform string, swift []string) string {
	line, err := json.Marshal(Fields{"version": source.JSONVersion, "type": "build", "build": build, "platform": platform, "swift": swift})
	if err != nil {
		return ""
	}
	return string(line)
}

// Summarize keeps what the summary says of the command.
func (j *JSON) Summarize(fields Fields) { j.summary = fields }

// Record writes one record, after what the program printed before it.
func (j *JSON) Record(kind string, fields Fields) error {
	j.flush()
	return j.write(kind, fields)
}

// flush writes what the program printed and no end of line has come for.
func (j *JSON) flush() {
	for _, s := range j.streams {
		s.flush(len(s.rest))
	}
}

// write writes one record without regard for pending ones.
func (j *JSON) write(kind string, fields Fields) error {
	line := Fields{"version": source.JSONVersion, "type": kind}
	for name, v := range fields {
		line[name] = v
	}
	return j.Value(line)
}

// Value writes a record that has its version and type.
func (j *JSON) Value(record any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record); err != nil {
		return err
	}
	return j.line(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
}

// line writes a record that is JSON already.
func (j *JSON) line(text []byte) error {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.closed {
		return nil
	}
	_, err := j.to.Write(append(text, '\n'))
	return err
}

// Close writes a summary while another goroutine may write records: none comes after it.
func (j *JSON) Close(command string, status int, msg string) {
	j.lock.Lock()
	defer j.lock.Unlock()
	text, err := json.Marshal(Fields{"version": source.JSONVersion, "type": "summary", "command": command, "status": status, "findings": j.findings, "error": msg})
	if !j.closed && err == nil {
		_, _ = j.to.Write(append(text, '\n'))
	}
	j.closed = true
}

// Finding writes a finding that is JSON already, after what the program printed before it.
func (j *JSON) Finding(text []byte) error {
	j.flush()
	j.lock.Lock()
	j.findings++
	j.lock.Unlock()
	return j.line(text)
}

// End writes the summary: what the command said of itself, its name, the exit status, the number of findings, and the message of an
// error.
func (j *JSON) End(command string, status int, msg string) error {
	fields := Fields{"command": command, "status": status, "findings": j.findings}
	if msg != "" {
		fields["error"] = msg
	}
	for name, v := range j.summary {
		fields[name] = v
	}
	err := j.Record("summary", fields)
	j.lock.Lock()
	j.closed = true
	j.lock.Unlock()
	return err
}

// Stream returns the writer for one of the program's streams, "stdout" or "stderr".
func (j *JSON) Stream(name string) io.Writer {
	s := &jsonStream{out: j, name: name}
	j.streams = append(j.streams, s)
	return s
}

// jsonStream makes records of what the program prints: whole lines as soon as they end, the rest before the next record.
type jsonStream struct {
	out  *JSON
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
	fields := Fields{"stream": s.name}
	if part := s.rest[:n]; utf8.Valid(part) {
		fields["text"] = string(part)
	} else {
		fields["base64"] = base64.StdEncoding.EncodeToString(part)
	}
	s.rest = append(s.rest[:0], s.rest[n:]...)
	return s.out.write("output", fields)
}
