//go:build unix

package main

import (
	"context"
	"os/exec"
	"syscall"
)

// shell makes a command of a line for the shell. When ctx ends, all that it started ends with it.
func shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
