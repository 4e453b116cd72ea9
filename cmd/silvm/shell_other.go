//go:build !unix

package main

import (
	"context"
	"os/exec"
)

// shell makes a command of a line for the shell, sh where there is one.
func shell(ctx context.Context, line string) *exec.Cmd {
	if _, err := exec.LookPath("sh"); err != nil {
		return exec.CommandContext(ctx, "cmd", "/C", line)
	}
	return exec.CommandContext(ctx, "sh", "-c", line)
}
