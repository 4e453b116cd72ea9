//go:build !unix

package console

import (
	"context"
	"os/exec"
)

// Shell makes a command of a line for the shell, sh where there is one.
func Shell(ctx context.Context, line string) (cmd *exec.Cmd, done func()) {
	if _, err := exec.LookPath("sh"); err != nil {
		return exec.CommandContext(ctx, "cmd", "/C", line), func() {}
	}
	return exec.CommandContext(ctx, "sh", "-c", line), func() {}
}
