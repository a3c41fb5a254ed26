package kernel

import (
	"fmt"
	"testing"
)

const caseFolder = "../testdata/cases"

// TestKernelCases runs every kernel case. CTXSCOPE_CASES names a further
// folder of the same form. With -v it prints how many ran and passed.
func TestKernelCases(t *testing.T) {
	folders := []string{caseFolder}
	if folder := furtherFolder("CTXSCOPE_CASES"); folder != "" {
		folders = append(folders, folder)
	}
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			cases, err := readKernelCases(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range runKernelCases(cases, t.Logf) {
				t.Error(failure)
			}
		})
	}
}

// runKernelCases runs every case and gives one sentence for each that fails,
// and one when there is none to run.
func runKernelCases(cases []kernelCase, log func(string, ...any)) []string {
	var failures []string
	for _, c := range cases {
		if err := runKernelCaseSafely(c); err != nil {
			failures = append(failures, fmt.Sprintf("%s: %v", c.file, err))
		}
	}
	log("suite cases/kernel: %d ran, %d passed", len(cases), len(cases)-len(failures))
	if len(cases) == 0 {
		failures = append(failures, "no case was run")
	}
	return failures
}

func runKernelCaseSafely(c kernelCase) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	run, err := newCaseRun(c.input)
	if err != nil {
		return err
	}
	for i, step := range c.input.Steps {
		answer, err := run.step(step)
		if err == nil {
			err = matchStep(c.expect[i], answer)
		}
		if err != nil {
			return fmt.Errorf("step %d (%s): %w", i+1, step.Op, err)
		}
	}
	return nil
}
