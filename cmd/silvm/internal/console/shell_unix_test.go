//go:build unix

package console

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestShellEndsAll checks that what a shell started in a pipe does not outlive the end of its context.
func TestShellEndsAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd, done := Shell(ctx, "sleep 1000 & echo $!; wait | cat")
	defer done()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 20)
	n, err := out.Read(line)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(line[:n])))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_ = cmd.Wait() // killed
	ends(t, pid)
}

// ends waits for the end of a process.
func ends(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || zombie(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// TestShellEndsWithItsCaller checks that what a shell started ends when the caller goes away without a word, which closes its pipe, and that a
// command keeps its status and what it leaves behind ends.
func TestShellEndsWithItsCaller(t *testing.T) {
	cmd, done := Shell(t.Context(), "sleep 1000 >/dev/null 2>&1 & echo $!; exit 3")
	out, err := cmd.Output()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != 3 {
		t.Fatalf("status 3 became %v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("process %d ended too soon: %v", pid, err)
	}
	done()
	ends(t, pid)
}

// zombie reports whether a process has ended and only waits for its parent to ask.
func zombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(state, "Z")
}
