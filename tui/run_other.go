//go:build !unix

package tui

import (
	"errors"
	"os"
	"syscall"
)

// endings are the signals that end the program.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func heedContinue(chan<- os.Signal) {}

// Run says that this system cannot stop a program.
func (pause) Run() error { return errors.New("this system cannot suspend a program") }
