//go:build unix

package console

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// guarded runs the line $1. Beside it a watchdog reads from a pipe whose other end silvm holds: when that is closed, because silvm is done
// or because it was killed, the whole group of processes ends.
const guarded = `{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec 3<&-; sh -c "$1"`

// Shell makes a command of a line for the shell. When ctx ends, all that it started ends with it, and so it does when done is called, which
// the caller does after the command, or when silvm itself is killed.
func Shell(ctx context.Context, line string) (cmd *exec.Cmd, done func()) {
	r, w, err := os.Pipe()
	if err != nil {
		cmd, done = exec.CommandContext(ctx, "sh", "-c", line), func() {}
	} else {
		cmd = exec.CommandContext(ctx, "sh", "-c", guarded, "sh", line)
		cmd.ExtraFiles = []*os.File{r}
		done = func() { w.Close(); r.Close() }
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd, done
}
