package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"silvm/debugger"
	"silvm/debugger/dap"
	"silvm/debugger/repl"
	"silvm/ir/source"
)

func (a *app) dapCommand() *cobra.Command {
	history := size{n: debugger.DefaultHistory, set: true}
	listen := ""
	cmd := &cobra.Command{
		Use:   "dap",
		Short: "The debugger for editors: the Debug Adapter Protocol",
		Long:  "Speaks the Debug Adapter Protocol on standard input and output or, with --listen, to one client of a local port after the other.",
		Args:  takes(0, 0, ""),
		RunE:  func(*cobra.Command, []string) error { return a.dap(listen, history.n) },
	}
	cmd.Flags().StringVar(&listen, "listen", "", "serve one client after the other at this port of this machine, such as 4711; a host before it, such as 0.0.0.0:4711, lets others in")
	cmd.Flags().Var(&history, "history", historyUsage)
	return cmd
}

func (a *app) dap(listen string, history uint64) error {
	defer thrifty()()
	if listen == "" {
		return a.serveEditor(a.in, a.out, history)
	}
	l, err := net.Listen("tcp", loopback(listen))
	if err != nil {
		return failf(exitUsage, "%v", err)
	}
	defer l.Close()
	fmt.Fprintf(a.err, "waiting for clients at %s, one after the other; Ctrl-C ends it\n", l.Addr())
	for {
		conn, err := l.Accept()
		if err != nil {
			return failf(exitNoInput, "%v", err)
		}
		if err := a.serveEditor(conn, conn, history); err != nil {
			fmt.Fprintf(a.err, "%v\n", err) // the next one is served all the same
		}
		conn.Close()
	}
}

// serveEditor serves one client.
func (a *app) serveEditor(in io.Reader, out io.Writer, history uint64) error {
	var opened []io.Closer
	defer func() {
		for _, c := range opened {
			c.Close()
		}
	}()
	open := func(l *dap.Launch, stdout, stderr io.Writer) (*debugger.Debugger, error) {
		files := l.Files()
		mod, diags, err := a.load(files, true)
		if err != nil {
			return nil, err
		}
		if err := diags.Err(); err != nil {
			return nil, err
		}
		cfg := a.config(files[0], l.Args)
		cfg.Stdout, cfg.Stderr, cfg.Stdin = stdout, stderr, nil
		if l.Stdin != "" {
			f, err := os.Open(l.Stdin)
			if err != nil {
				return nil, err
			}
			opened = append(opened, f)
			cfg.Stdin = f
		}
		return debugger.New(mod, debugger.Config{VM: cfg, History: history, AllowLeaks: a.flags.allowLeak})
	}
	if err := dap.NewServer(in, out, open).WithConsole(func(d *debugger.Debugger) dap.Console { return openConsole(d, nil) }).WithSource(a.swiftFiles).Serve(); err != nil {
		return failf(exitNoInput, "%v", err)
	}
	return nil
}

// loopback returns an address without a host, :4711 or 4711, that of this machine: nobody else can connect.
func loopback(address string) string {
	host, port, err := net.SplitHostPort(address)
	switch {
	case err != nil && !strings.Contains(address, ":"):
		return net.JoinHostPort("127.0.0.1", address)
	case err == nil && host == "":
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// createHere makes a file in the working folder or below it, and nowhere else, whatever the name says: what an editor's console asks for
// must not overwrite the user's other files.
func createHere(name string) (io.WriteCloser, error) {
	root, err := os.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Create(name)
}

// openConsole makes the command line of silvm debug for a client's console, or for a page.
func openConsole(d *debugger.Debugger, swift *source.SwiftFiles) *repl.Console {
	return repl.NewConsole(d, repl.Config{Create: createHere, Swift: swift})
}
