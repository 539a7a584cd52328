//go:build linux

package main

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed check.sh
var checkScript string

// check returns the directory of the network plugins, or an error that says in one sentence what
// this machine lacks.
func check() (string, error) {
	said, err := exec.Command("sh", "-c", checkScript).Output()
	if err != nil {
		return "", errors.New(strings.TrimSpace(string(said)))
	}
	return strings.TrimSpace(string(said)), nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// lookUp returns the path of a program that check has found.
func lookUp(program string) (string, error) {
	for _, folder := range filepath.SplitList(os.Getenv("PATH") + ":/usr/sbin:/sbin") {
		if path := filepath.Join(folder, program); isFile(path) {
			return path, nil
		}
	}
	return "", errors.New(program + " is not installed")
}
