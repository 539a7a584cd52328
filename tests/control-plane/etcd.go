package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/grpclog"
)

// etcdGet prints the keys below a prefix, one per line.
func etcdGet(args []string) error {
	return withEtcd(args, 1, func(ctx context.Context, client *clientv3.Client, words []string) error {
		found, err := client.Get(ctx, words[0], clientv3.WithPrefix(), clientv3.WithKeysOnly())
		if err != nil {
			return err
		}
		for _, row := range found.Kvs {
			fmt.Printf("%s\n", row.Key)
		}
		return nil
	})
}

// etcdPut writes a key to etcd directly, for example to create data that cannot be decoded.
func etcdPut(args []string) error {
	return withEtcd(args, 2, func(ctx context.Context, client *clientv3.Client, words []string) error {
		_, err := client.Put(ctx, words[0], words[1])
		return err
	})
}

// brisk is the back-off for a server on this machine that may be starting. The default second
// between two attempts would be a quarter of the start.
var brisk = backoff.Config{BaseDelay: 20 * time.Millisecond, Multiplier: 1, MaxDelay: 20 * time.Millisecond}

type etcdTask func(ctx context.Context, client *clientv3.Client, words []string) error

// withEtcd parses "WORD... --endpoint URL" and runs the task.
func withEtcd(args []string, words int, task etcdTask) error {
	if len(args) < words {
		return fmt.Errorf("expected %d argument(s), then --endpoint URL", words)
	}
	flags := flag.NewFlagSet("etcd", flag.ContinueOnError)
	endpoint := flags.String("endpoint", "", "client URL of etcd")
	if err := flags.Parse(args[words:]); err != nil {
		return err
	}
	client, err := etcdClient(*endpoint)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return task(ctx, client, args[:words])
}

func etcdClient(endpoint string) (*clientv3.Client, error) {
	// The default logger prints each failed attempt, and a message at every exit.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	return clientv3.New(clientv3.Config{
		Endpoints:   []string{endpoint},
		DialOptions: []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{Backoff: brisk})},
		Logger:      zap.NewNop(),
	})
}
