package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

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
