package kernel

import (
	"fmt"
	"testing"
)

const referenceFolder = "testdata/reference"

// TestReference runs every recorded decision. CTXSCOPE_VECTORS names a further
// folder of the same form. With -v it prints how many cases of each suite ran
// and passed.
func TestReference(t *testing.T) {
	folders := []string{referenceFolder}
	if folder := furtherFolder("CTXSCOPE_VECTORS"); folder != "" {
		folders = append(folders, folder)
	}
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			files, err := readReferenceFolder(folder)
			if err != nil {
				t.Fatal(err)
			}
			outcome := runReference(files, referenceSuites, t.Logf)
			for _, failure := range outcome {
				t.Error(failure)
			}
		})
	}
}

// TestReferenceIsComplete holds that no suite of the reference has gone
// missing from the project's own folder.
func TestReferenceIsComplete(t *testing.T) {
	files, err := readReferenceFolder(referenceFolder)
	if err != nil {
		t.Fatal(err)
	}
	present := map[string]bool{}
	for _, file := range files {
		present[file.suite] = true
	}
	for suite := range referenceSuites {
		if !present[suite] {
			t.Errorf("suite %s has no file in %s", suite, referenceFolder)
		}
	}
}

// runReference runs every case of every file and gives one sentence for each
// thing that is wrong: a case that differs, a suite that nothing runs, a file
// without cases, or no case at all. It says through log how many cases of each
// suite ran and passed.
func runReference(files []referenceFile, suites map[string]suiteRunner, log func(string, ...any)) []string {
	var failures []string
	total := 0
	for _, file := range files {
		run, ok := suites[file.suite]
		if !ok {
			failures = append(failures, fmt.Sprintf("%s: no runner takes suite %q", file.name, file.suite))
			continue
		}
		if len(file.cases) == 0 {
			failures = append(failures, fmt.Sprintf("%s: no case", file.name))
		}
		passed := 0
		for _, c := range file.cases {
			if err := runSafely(run, c); err != nil {
				failures = append(failures, fmt.Sprintf("%s: %s: %v", file.suite, c.Name, err))
				continue
			}
			passed++
		}
		total += len(file.cases)
		log("suite %s: %d ran, %d passed", file.suite, len(file.cases), passed)
	}
	if total == 0 {
		failures = append(failures, "no case was run")
	}
	return failures
}

// runSafely turns a panic of the kernel into a failure of its case, so that
// the other cases still run.
func runSafely(run suiteRunner, c referenceCase) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return run(c.Input, c.Expected)
}
