//go:build linux

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"strconv"
	"time"
)

// certificate parses "DIR NAME SECONDS" and writes DIR/certs/NAME.pem, a client certificate of
// the node that is valid for that time.
func certificate(args []string) error {
	if len(args) != 3 {
		return errors.New("certificate: expected DIR NAME SECONDS")
	}
	seconds, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	n := &node{options: options{dir: args[0]}}
	return n.issueClient(args[1], time.Duration(seconds)*time.Second)
}

// issueClient writes NAME.pem, the certificate by which the kubelet authenticates as the node.
func (n *node) issueClient(name string, life time.Duration) error {
	template := newTemplate(life, x509.ExtKeyUsageClientAuth)
	template.Subject = pkix.Name{CommonName: "system:node:" + nodeName, Organization: []string{"system:nodes"}}
	certificate, key, err := n.sign(template)
	if err != nil {
		return err
	}
	return os.WriteFile(n.cert(name+".pem"), append(certificate, key...), 0o600)
}

// issueServer writes the kubelet's serving certificate, which the API server checks.
func (n *node) issueServer() error {
	template := newTemplate(aYear, x509.ExtKeyUsageServerAuth)
	template.Subject = pkix.Name{CommonName: nodeName}
	template.IPAddresses = []net.IP{net.ParseIP(nodeAddress)}
	certificate, key, err := n.sign(template)
	if err != nil {
		return err
	}
	if err := os.WriteFile(n.cert("node-server.crt"), certificate, 0o600); err != nil {
		return err
	}
	return os.WriteFile(n.cert("node-server.key"), key, 0o600)
}

func newTemplate(life time.Duration, use x509.ExtKeyUsage) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		NotBefore:    now.Add(-time.Minute),
		NotAfter:     now.Add(life),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{use},
	}
}

// sign signs a new key with the control plane's authority.
func (n *node) sign(template *x509.Certificate) (certificate, private []byte, err error) {
	authority, err := tls.LoadX509KeyPair(n.cert("ca.crt"), n.cert("ca.key"))
	if err != nil {
		return nil, nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, authority.Leaf, key.Public(), authority.PrivateKey)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	block := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return block("CERTIFICATE", signed), block("EC PRIVATE KEY", der), nil
}
