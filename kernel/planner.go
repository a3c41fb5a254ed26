package kernel

import "slices"

// DefaultPlanner is the name of the planner that is used where the
// configuration names none.
const DefaultPlanner = "micro-episode-v1"

// Planner proposes what could be folded in small, independent pieces. What it
// proposes is only shown after the executor has taken it.
type Planner struct {
	Name    string
	Version string // for display
	// Propose gives drafts and what it left out, both in the order of the
	// ground. Equal grounds must give equal answers; the ground must not be
	// changed.
	Propose func(Ground) ([]Draft, []Omission)
}

// Draft is a piece that a planner proposes: the places From to To of the
// ground, both included.
type Draft struct {
	Kind  CandidateKind
	From  int
	To    int
	Label string
}

// Planners is a registry of planners. It is a value without a lock, since
// nothing here is kept for the whole process: a host makes one, hands it to
// Plan, and a test makes its own. Registering gives a new registry and leaves
// the old one as it was.
type Planners struct {
	list []Planner // in the order of their first registration
}

// DefaultPlanners is a registry of the built-in planner, DefaultPlanner.
func DefaultPlanners() Planners {
	return Planners{}.Register(Planner{Name: DefaultPlanner, Version: "1", Propose: microEpisode})
}

// Register adds a planner. One of the same name is replaced in its place.
func (p Planners) Register(planner Planner) Planners {
	list := slices.Clone(p.list)
	for i := range list {
		if list[i].Name == planner.Name {
			list[i] = planner
			return Planners{list}
		}
	}
	return Planners{append(list, planner)}
}

// Get is the planner of a name, if there is one. It never gives another.
func (p Planners) Get(name string) (Planner, bool) {
	for _, planner := range p.list {
		if planner.Name == name {
			return planner, true
		}
	}
	return Planner{}, false
}

// List is the planners in the order of their first registration.
func (p Planners) List() []Planner { return slices.Clone(p.list) }
