package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// takes says how many arguments a command takes; what they are is told when there are others. A maximum of -1 is none.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least && len(args) == 0:
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), what)
		case len(args) < least || most > 0 && len(args) > most:
			return fmt.Errorf("%s takes %s, and was given %d: %s", cmd.CommandPath(), what, len(args), strings.Join(args, " "))
		case most == 0 && len(args) > 0:
			return fmt.Errorf("%s takes no arguments, and was given %s", cmd.CommandPath(), strings.Join(args, " "))
		}
		return nil
	}
}

// aFile is what commands about a program take.
const aFile = "a file of SIL or Swift, or - for the standard input"

// flagError words what was wrong with the value of a flag.
func flagError(err error) error {
	text, reason, ok := strings.Cut(err.Error(), ": strconv.")
	switch {
	case !ok:
		return err
	case strings.HasSuffix(reason, "value out of range"):
		return errors.New(text + ": the number is out of range")
	}
	return errors.New(text + ": not a number")
}

// called is how a message names a file of the command line.
func called(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

// notRun returns the error of a program that could not be started.
func notRun(files []string, err error) error {
	return failf(exitInvalid, "%s: %v", called(files[0]), err)
}

// canWrite reports early, before long work, that a file can't be made.
func canWrite(names ...string) error {
	for _, name := range names {
		if name == "" || name == "-" {
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			err = &fs.PathError{Op: "open", Path: name, Err: syscall.EISDIR}
		case err == nil && info.Mode().IsRegular():
			var f *os.File
			if f, err = os.OpenFile(name, os.O_WRONLY, 0); err == nil {
				f.Close()
			}
		case errors.Is(err, fs.ErrNotExist):
			if _, err = os.Stat(filepath.Dir(name)); err != nil {
				err = &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
			}
		}
		if err != nil {
			return failf(exitNoOutput, "%v", err)
		}
	}
	return nil
}
