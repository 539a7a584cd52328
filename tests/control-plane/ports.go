package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
)

// ports are the loopback ports of one control plane.
type ports struct {
	etcd, etcdPeer, apiServer int
}

// choosePorts finds free ports. If another program takes one before it is used, the whole start
// is tried again.
func choosePorts() (ports, error) {
	var chosen [3]int
	for i := range chosen {
		port, err := freePort(chosen[:i])
		if err != nil {
			return ports{}, err
		}
		chosen[i] = port
	}
	return ports{etcd: chosen[0], etcdPeer: chosen[1], apiServer: chosen[2]}, nil
}

// freePort returns a port below 32768. The kernel assigns higher ports to outgoing connections,
// which would collide now and then.
func freePort(taken []int) (int, error) {
	const low, high, attempts = 20000, 32000, 1000
	for range attempts {
		port := low + rand.IntN(high-low)
		if !slices.Contains(taken, port) && isFree(port) {
			return port, nil
		}
	}
	return 0, errors.New("found no free port on 127.0.0.1")
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
