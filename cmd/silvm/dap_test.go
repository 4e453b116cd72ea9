package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An address without a host is one of this machine.
func TestListenIsLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"4711": "127.0.0.1:4711", ":4711": "127.0.0.1:4711", "localhost:1": "localhost:1", "0.0.0.0:4711": "0.0.0.0:4711", "[::1]:5": "[::1]:5",
	} {
		if got := loopback(address); got != want {
			t.Errorf("%s: listens at %s, want %s", address, got, want)
		}
	}
}

// A client's console writes below the working folder and nowhere else.
func TestConsoleWritesHere(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here")
	if err := os.Mkdir(here, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	f, err := createHere("graph.svg")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(here, "link")); err != nil {
		t.Log("no symbolic links here: ", err)
	}
	for _, name := range []string{"../out", filepath.Join(dir, "out"), filepath.Join("link", "out")} {
		if f, err := createHere(name); err == nil {
			f.Close()
			t.Errorf("%s was written", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a file outside was written")
	}
}

// The page opens where debug opens: at a finding, also one that only full checking makes.
func TestWebOpensAtFindings(t *testing.T) {
	for file, code := range map[string]string{"delegates.sil.gz": "SV0103", "race.sil.gz": "SV1004"} {
		out, to := io.Pipe()
		a := &app{in: strings.NewReader(""), out: to, err: io.Discard}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			root := a.rootCommand()
			root.SetArgs([]string{"web", "--library=none", "--at", code, filepath.Join("testdata", "debug", file)})
			err := root.ExecuteContext(ctx)
			to.CloseWithError(err)
			ended <- err
		}()
		page, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		answer, err := http.Post(strings.TrimSpace(page)+"state", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var state struct {
			Stop struct{ End struct{ Code string } }
		}
		if err := json.NewDecoder(answer.Body).Decode(&state); err != nil || state.Stop.End.Code != code {
			t.Errorf("%s: %v, at %q, want %s", file, err, state.Stop.End.Code, code)
		}
		answer.Body.Close()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
