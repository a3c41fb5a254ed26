package kernel

import (
	"fmt"
	"math/rand"
	"testing"
)

// TestGuardLaws folds guards over random events.
func TestGuardLaws(t *testing.T) {
	k := New(Default(200000), nil)
	sent, withheld := 0, map[string]int{}
	for seed := range int64(200) {
		dice := rand.New(rand.NewSource(seed))
		g, used, floorFrom := Guard{}, Tokens(100000), Tokens(-1)
		for i := range 120 {
			used += Tokens(dice.Intn(9000))
			before := asJSON(g)
			kept := g
			switch dice.Intn(8) {
			case 0:
				g, floorFrom = g.UserMessage(fmt.Sprint(i)), -1
			case 1, 2:
				g, floorFrom = g.Attempted(Attempt{Outcome: Failed, Tokens: used, Spec: fmt.Sprint(dice.Intn(3))}), used
			case 3:
				if dice.Intn(4) == 0 {
					g, floorFrom, used = g.Attempted(Attempt{Outcome: Succeeded, Tokens: used}), -1, used/2
				}
			default:
				turn := inject(used, []Band{BandNormal, BandOverLimit, BandEmergency}[dice.Intn(3)])
				turn.Inject, turn.Offer.Taken = dice.Intn(5) > 0, min(1, dice.Intn(6))
				var a GuardAnswer
				g, a = k.Guarded(g, turn)
				guardLaws(t, kept, turn, a, floorFrom)
				if a.Send {
					sent++
				} else {
					withheld[a.Gate]++
				}
			}
			if asJSON(kept) != before {
				t.Fatal("a guard was changed")
			}
		}
	}
	for _, gate := range []string{GuardKernel, GuardEmpty, GuardResponded, GuardCoolDown, GuardDedupe} {
		if sent == 0 || withheld[gate] == 0 {
			t.Errorf("%d sent, withheld %v; all must occur", sent, withheld)
		}
	}
}

// guardLaws holds one answer to its gates, and a nudge after a failure to the
// growth of one. failedAt is the context size at the newest failure, -1 when
// something cleared it.
func guardLaws(t *testing.T, g Guard, turn GuardTurn, a GuardAnswer, failedAt Tokens) {
	t.Helper()
	order := []string{GuardKernel, GuardEmpty, GuardResponded, GuardCoolDown, GuardDedupe}
	for i, gate := range a.Gates {
		if gate.Name != order[i] || gate != newGate(gate.Name, gate.Left, gate.Op, gate.Right, gate.Unit) {
			t.Errorf("gate %d is %+v", i, gate)
		}
		if last := i == len(a.Gates)-1; gate.Holds != (!last || a.Send) {
			t.Errorf("send %v with the gates %+v", a.Send, a.Gates)
		}
	}
	if a.Send != (a.Gate == "") || a.Send && len(a.Gates) != len(order) || a.Sentence == "" {
		t.Errorf("answer %+v", a)
	}
	if a.Send && !turn.Inject {
		t.Error("sent against the kernel")
	}
	if g.Responded && a.Send && turn.Used-failedAt < testFloor {
		t.Errorf("sent at %v although the last attempt failed at %v", turn.Used, failedAt)
	}
	if g.CoolDown && a.Send && float64(turn.Used-failedAt) < g.coolDownLasts(testFloor) {
		t.Errorf("sent at %v in a cool-down that began to count at %v", turn.Used, failedAt)
	}
}

// The guard stands beside the decision: it is asked on every turn of a session,
// it follows what the kernel decided, and asking it changes nothing.
func TestGuardStandsBesideTheDecision(t *testing.T) {
	sent, withheld, attempts := 0, map[string]int{}, 0
	eachMoment(t, func(t *testing.T, k *Kernel, r Run) {
		before := snapshot(r)
		live := k.Guard(r, nil)
		plan := k.Plan(r, DefaultPlanners())
		planned := k.Guard(r, &plan)
		if snapshot(r) != before {
			t.Error("asking the guard changed the run")
		}
		if live.Gates[0].Left != truth(r.Now().Nudge.ShouldInject) || planned.Gates[0] != live.Gates[0] {
			t.Errorf("the kernel says %v, the guard %+v", r.Now().Nudge.ShouldInject, live)
		}
		if r.Now().Nudge.Tier == 1 && plan.Ok() && len(plan.Candidates) == 0 && planned.Send {
			t.Errorf("sent although the planner found nothing: %+v", planned)
		}
		turns := r.Turns()
		for i := range turns.Len() {
			turn := turns.At(i)
			a := turn.Guard
			if a.Gates[0].Name != GuardKernel || a.Gates[0].Holds != turn.Inject || a.Send && !turn.Inject {
				t.Errorf("turn %d injects %v, the guard says %+v", turn.Number, turn.Inject, a)
			}
			if (turn.Text != nil) != turn.Inject {
				t.Errorf("turn %d injects %v and has the text %+v", turn.Number, turn.Inject, turn.Text)
			}
			if a.Send {
				sent++
			} else {
				withheld[a.Gate]++
			}
		}
		attempts += len(r.Guard().Attempts)
	})
	if sent == 0 || attempts == 0 || withheld[GuardKernel] == 0 || withheld[GuardResponded]+withheld[GuardDedupe]+withheld[GuardCoolDown] == 0 {
		t.Errorf("%d sent, withheld %v, %d attempts; all must occur", sent, withheld, attempts)
	}
	t.Logf("%d sent, withheld %v", sent, withheld)
}
