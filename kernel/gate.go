package kernel

// newGate compares two operands and records what was asked and the answer.
func newGate(name string, left float64, op string, right float64, unit string) Gate {
	holds := false
	switch op {
	case ">=":
		holds = left >= right
	case ">":
		holds = left > right
	case "=":
		holds = left == right
	case "!=":
		holds = left != right
	}
	return Gate{name, left, op, right, unit, holds, left - right}
}
