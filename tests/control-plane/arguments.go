package main

import "strconv"

// The command lines of the programs follow two rules: everything listens on loopback, and no
// connection that the API server opens on its own leaves the machine.

func (l layout) etcdArgs() []string {
	return []string{
		"--name=" + l.etcdName(),
		"--data-dir=" + l.path("etcd"),
		"--listen-client-urls=" + l.etcd(),
		"--advertise-client-urls=" + l.etcd(),
		"--listen-peer-urls=" + l.etcdPeer(),
		"--initial-advertise-peer-urls=" + l.etcdPeer(),
		"--initial-cluster=" + l.etcdName() + "=" + l.etcdPeer(),
		"--unsafe-no-fsync", // only a crash of the machine can lose data
		"--log-level=warn",
	}
}

func (l layout) apiServerArgs() []string {
	return []string{
		"--etcd-servers=" + l.etcd(),
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(l.ports.apiServer),
		// The API server does not accept a loopback address here, nor as an endpoint of the
		// Service "kubernetes". This is a documentation address that nothing connects to.
		"--advertise-address=192.0.2.1",
		"--endpoint-reconciler-type=none",
		"--external-hostname=127.0.0.1", // the address that discovery gives to clients
		// The API server connects to the cluster IP of every Service that a webhook or an
		// APIService names. On loopback a dead one refuses the connection. The default range
		// would send these packets to other hosts.
		"--service-cluster-ip-range=127.20.0.0/16",
		"--tls-cert-file=" + l.cert("server.crt"),
		"--tls-private-key-file=" + l.cert("server.key"),
		"--client-ca-file=" + l.cert("ca.crt"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + l.cert("service-accounts.key"),
		"--service-account-signing-key-file=" + l.cert("service-accounts.key"),
		"--requestheader-client-ca-file=" + l.cert("front-proxy-ca.crt"),
		"--requestheader-allowed-names=front-proxy",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + l.cert("front-proxy.crt"),
		"--proxy-client-key-file=" + l.cert("front-proxy.key"),
		// The API server reads logs from the address of a Node. Tests use only 127.0.0.1.
		"--kubelet-preferred-address-types=InternalIP",
		"--kubelet-certificate-authority=" + l.cert("ca.crt"),
		"--kubelet-client-certificate=" + l.cert("kubelet-client.crt"),
		"--kubelet-client-key=" + l.cert("kubelet-client.key"),
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		"--disable-admission-plugins=ServiceAccount", // pods need no token, because no kubelet runs them
		"--audit-policy-file=" + l.path("audit-policy.yaml"),
		"--audit-log-path=" + l.path("audit.log"),
		"--profiling=false",
	}
}

func (l layout) controllerManagerArgs() []string {
	kubeconfig := l.path("kube-controller-manager.kubeconfig")
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--leader-elect=false",
		"--secure-port=0",
		"--use-service-account-credentials", // each controller has its own permissions, as in real clusters
		"--service-account-private-key-file=" + l.cert("service-accounts.key"),
		"--root-ca-file=" + l.cert("ca.crt"),
		"--controllers=*,-nodeipam", // nodeipam needs address ranges for pods
		"--kube-api-qps=500",        // the default limit makes the start three seconds slower
		"--kube-api-burst=1000",
		"--node-monitor-grace-period=16s", // the shortest that works, for tests that wait for a dead node
		"--profiling=false",
	}
}
