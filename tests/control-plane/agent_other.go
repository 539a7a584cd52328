//go:build !linux

package main

import (
	"errors"
	"io"
	"net"
	"os/exec"
)

var errNotHere = errors.New("the agent needs the namespaces of Linux")

func canIsolate() error { return errNotHere }

type network struct{}

func newNetwork() (*network, error)                                { return nil, errNotHere }
func (n *network) listen(string) (net.Listener, error)             { return nil, errNotHere }
func (n *network) dial(int) (net.Conn, error)                      { return nil, errNotHere }
func (n *network) forward(string, string) error                    { return errNotHere }
func (n *network) close()                                          {}
func isolated(processSpec, *network) (*exec.Cmd, io.Reader, error) { return nil, nil, errNotHere }
func processAlone([]string) error                                  { return errNotHere }
