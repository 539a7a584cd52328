package main

import (
	"context"

	dra "k8s.io/kubelet/pkg/apis/dra/v1"
)

// devices is a driver for devices that need no preparation.
type devices struct {
	dra.UnimplementedDRAPluginServer
	name string
}

func (d *devices) NodePrepareResources(
	_ context.Context, request *dra.NodePrepareResourcesRequest,
) (*dra.NodePrepareResourcesResponse, error) {
	prepared := map[string]*dra.NodePrepareResourceResponse{}
	for _, claim := range request.Claims {
		prepared[claim.Uid] = &dra.NodePrepareResourceResponse{
			Devices: []*dra.Device{{PoolName: "worker", DeviceName: "gpu-0"}},
		}
	}
	return &dra.NodePrepareResourcesResponse{Claims: prepared}, nil
}

func (d *devices) NodeUnprepareResources(
	_ context.Context, request *dra.NodeUnprepareResourcesRequest,
) (*dra.NodeUnprepareResourcesResponse, error) {
	given := map[string]*dra.NodeUnprepareResourceResponse{}
	for _, claim := range request.Claims {
		given[claim.Uid] = &dra.NodeUnprepareResourceResponse{}
	}
	return &dra.NodeUnprepareResourcesResponse{Claims: given}, nil
}
