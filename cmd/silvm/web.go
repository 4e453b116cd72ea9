package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"silvm/debugger/web"
)

// webFlags are the flags of web.
type webFlags struct {
	sessionFlags
	port uint16
}

func (a *app) webCommand() *cobra.Command {
	f := webFlags{}
	cmd := &cobra.Command{
		Use:   "web FILE… [-- ARGS]",
		Short: "The debugger as a page in the browser of this machine, with a slider for time",
		Long: "web opens a session of the debugger and shows it as a page: source and SIL, values with their counts, calls, tasks, objects, the heap\n" +
			"as a picture, findings, and a slider that goes forwards and backwards. Only this machine can ask for the page, and only at the address\n" +
			"that is printed, which nobody can guess. Nothing is loaded from a network. Ctrl-C ends it.",
		Args: takes(1, -1, aFile),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			return a.web(cmd.Context(), files, rest, f)
		},
	}
	cmd.Flags().Uint16Var(&f.port, "port", 0, "the port of the page; 0 is any that is free")
	f.add(cmd.Flags())
	return cmd
}

// web serves the page until Ctrl-C.
func (a *app) web(ctx context.Context, files, args []string, f webFlags) error {
	output := &web.Output{}
	d, done, err := a.session(files, args, f.sessionFlags, output, output)
	if err != nil {
		return err
	}
	defer done()
	output.Step = d.Step
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(f.port))))
	if err != nil {
		return failf(exitUsage, "%v", err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	swift := a.swiftFiles(d.Module().Files)
	console := openConsole(d, swift)
	page := web.New(d, web.Config{
		Title: filepath.Base(files[0]), Swift: swift, Console: console, Output: output,
		Hosts: []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("localhost", port)},
	})
	if f.at != "" {
		if _, err := console.Open(f.at); err != nil {
			return failf(exitUsage, "%v", err)
		}
	}
	server := &http.Server{Handler: http.HandlerFunc(page.Answer), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, func() {
		d.Interrupt()
		_ = server.Close()
	})()
	fmt.Fprintf(a.out, "http://127.0.0.1:%s%s\n", port, page.Path())
	if !a.flags.quiet {
		fmt.Fprintln(a.err, "open this page in a browser of this machine; Ctrl-C ends it")
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return failf(exitNoInput, "%v", err)
	}
	return nil
}
