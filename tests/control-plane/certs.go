package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority signs the certificates of one control plane.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	dir         string
}

// writeCertificates creates all keys and certificates of a control plane in dir. They are new
// each time, so no two control planes trust each other.
func writeCertificates(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	ca, err := newAuthority(dir, "ca")
	if err != nil {
		return err
	}
	// Aggregated API servers trust the headers of every client with a certificate of this
	// authority, so it issues no other client certificate.
	frontProxyCA, err := newAuthority(dir, "front-proxy-ca")
	if err != nil {
		return err
	}
	signingKey, err := newKey()
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return ca.issueServer("server") },
		func() error { return ca.issueClient("admin", "admin", "system:masters") },
		func() error { return ca.issueClient("kube-controller-manager", "system:kube-controller-manager") },
		func() error { return ca.issueClient("kubelet-client", "kube-apiserver-kubelet-client") },
		func() error { return frontProxyCA.issueClient("front-proxy", "front-proxy") },
		func() error { return writeKey(filepath.Join(dir, "service-accounts.key"), signingKey) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func newAuthority(dir, name string) (*authority, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	template := template(name)
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	self := &authority{certificate: template, key: key, dir: dir}
	if err := self.sign(name, template, key); err != nil {
		return nil, err
	}
	return self, nil
}

// issueServer writes a serving certificate for loopback.
func (a *authority) issueServer(name string) error {
	template := template(name)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.DNSNames = []string{"localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	return a.issue(name, template)
}

// issueClient writes a client certificate for a user in groups.
func (a *authority) issueClient(name, user string, groups ...string) error {
	template := template(user)
	template.Subject.Organization = groups
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.issue(name, template)
}

func (a *authority) issue(name string, template *x509.Certificate) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	return a.sign(name, template, key)
}

// sign writes NAME.crt and NAME.key.
func (a *authority) sign(name string, template *x509.Certificate, key *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return err
	}
	if err := writePEM(filepath.Join(a.dir, name+".crt"), "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(filepath.Join(a.dir, name+".key"), key)
}

func template(commonName string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: serialNumber(),
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    time.Now().Add(-time.Hour), // clocks in virtual machines jump
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func serialNumber() *big.Int {
	number := make([]byte, 16)
	rand.Read(number) // never fails
	return new(big.Int).SetBytes(number)
}

func newKey() (*ecdsa.PrivateKey, error) {
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(path, "EC PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
