package decode

// claudeJournals are the rules of the chain, one by one.
var claudeJournals = []struct {
	name    string
	records []obj
	want    string
}{
	{"the records of one message id are one reply, the last usage counts", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), block("a2", "a1", "m1", 9, call("t1", "Bash")),
		answer("r1", "a2", "t1", "ok"), block("a3", "r1", "m2", 12, say("done")),
	}, "u1 (m1) a1 a2 9 r1 (m2) a3 12"},
	{"a usage that only a left branch repeats counts too when it is the last of its reply", []obj{
		user("u0", "", "go"), user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "on"), block("b1", "u0", "m1", 9, say("x")),
		user("u3", "u2", "on"),
	}, "u1 (m1) a1 9 u2 u3"},
	{"a model that only a record beside the path names is the reply's too", []obj{
		user("u0", "", "go"), user("u1", "", "go"), rec("assistant", "a1", "u1", obj{"message": obj{"id": "m1", "content": []obj{say("x")}}}),
		block("b1", "u0", "m1", 0, say("x"), meta),
	}, "u1 (m1) a1"},
	{"a reply without a message id is called by its record", []obj{
		user("u1", "", "go"), block("a1", "u1", "", 5, say("x")),
	}, "u1 (a1) a1 5"},
	{"a usage of zero is none", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 7, say("x")), block("a2", "a1", "m1", 0, say("y")),
	}, "u1 (m1) a1 a2 7"},
	{"a text of white space only is no message, but a reply", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("\n\n")),
	}, "u1 (m1) 5"},

	// The end of the chain.
	{"trailing local commands do not move the end", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("k1", "u1", "<command-name>/x</command-name>"), user("k2", "k1", "<bash-input>ls"),
	}, "u1 (m1) a1 5"},
	{"local commands below the end are sent", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("k1", "a1", "<command-name>/x</command-name>"), user("k2", "k1", "(no content)"),
	}, "u1 (m1) a1 5 k1 k2"},
	{"a command that expands to a prompt is a prompt", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("k1", "u1", "<command-message>x"),
	}, "u1 k1"},
	{"a meta record does not move the end", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("n1", "u1", "note", meta),
	}, "u1 (m1) a1 5"},
	{"a team's record does not move the end while there are others", []obj{
		user("u1", "", "go", team), user("u2", "", "go"), user("u3", "u1", "on", team),
	}, "u2"},
	{"a file of a team alone is read like any other", []obj{
		user("u1", "", "go", team), user("u2", "u1", "on", team),
	}, "u1 u2"},
	{"an error record does not move the end", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), hostError("e1", "u1"),
	}, "u1 (m1) a1 5"},
	{"a record without usable content is a link only", []obj{
		user("u1", "", "go"), user("u2", "u1", nil), user("u3", "u2", []obj{}), rec("user", "u4", "u3", obj{"message": "text"}), user("u5", "u4", "on"),
	}, "u1 u5"},
	{"a queued prompt is sent, other attachments are not", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, call("t1", "Bash")), answer("r1", "a1", "t1", "ok"),
		rec("attachment", "x1", "r1", obj{"attachment": obj{"type": "queued_command", "prompt": "also"}}),
		rec("attachment", "x2", "x1", obj{"attachment": obj{"type": "todo_reminder", "prompt": "no"}}),
	}, "u1 (m1) a1 5 r1 x1"},

	// Upwards.
	{"progress and system records link", []obj{
		user("u1", "", "go"), rec("progress", "p1", "u1"), rec("system", "s1", "p1", obj{"subtype": "turn_duration"}), block("a1", "s1", "m1", 5, say("x")),
	}, "u1 (m1) a1 5"},
	{"behind a missing parent the chain goes on with what the conversation ended with", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), user("k1", "u1", "<bash-input>ls"), user("u2", "gone", "on"),
	}, "u1 (m1) a1 5 u2"},
	{"a parent that comes later takes its place", []obj{
		user("u1", "", "go"), user("u2", "later", "on"), user("u0", "", "start"), user("later", "u0", "between"),
	}, "u0 later u2"},
	{"a loop of parents ends the chain", []obj{
		user("u1", "u3", "a"), user("u2", "u1", "b"), user("u3", "u2", "c"),
	}, "u3 u1 u2"},
	{"a record that names itself is a root", []obj{user("u1", "u1", "a"), user("u2", "u1", "b")}, "u1 u2"},
	{"a rewind leaves a branch", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "b"), block("a2", "u2", "m2", 6, say("y")), user("u3", "a1", "c"),
	}, "u1 (m1) a1 5 u3"},
	{"the newest child is followed down from the end", []obj{
		user("u1", "", "a"), user("n1", "u1", "note", meta), user("n2", "u1", "note", meta), rec("progress", "p1", "n2"), user("n3", "p1", "note", meta),
	}, "u1 n2 n3"},

	// Twice.
	{"the same record again changes nothing", []obj{
		user("u1", "", "a"), user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "b"),
	}, "u1 (m1) a1 5 u2"},
	{"a record that is written again with another parent moves", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"), user("u3", "u2", "c"), user("u3", "u1", "c"),
	}, "u1 u3"},
	{"a history that stands twice is taken once", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, call("t1", "Bash")), answer("r1", "a1", "t1", "ok"),
		user("v1", "", "a"), block("b1", "v1", "m1", 5, call("t1", "Bash")), answer("q1", "b1", "t1", "ok"), user("v2", "q1", "b"),
	}, "v1 (m1) b1 5 q1 v2"},

	// Siblings.
	{"blocks and results of parallel calls come back", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, call("t1", "A")), block("a2", "a1", "m1", 5, call("t2", "B")), block("a3", "a2", "m1", 6, call("t3", "C")),
		answer("r3", "a3", "t3", "3"), answer("r1", "a1", "t1", "1"), answer("r2", "a2", "t2", "2"), block("a4", "r1", "m2", 9, say("x")),
	}, "u1 (m1) a1 a2 a3 6 r3 r1 r2 (m2) a4 9"},
	{"a second result of one call does not come back", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, call("t1", "A")), answer("r1", "a1", "t1", "1"), answer("r2", "a1", "t1", "2"),
	}, "u1 (m1) a1 5 r2"},
	{"a block beside the first one comes back", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), block("a2", "u1", "m1", 6, call("t1", "A")), answer("r1", "a2", "t1", "1"),
	}, "u1 (m1) a1 a2 6 r1"},
	{"another reply to the same prompt does not come back", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), block("a2", "u1", "m2", 6, say("y")),
	}, "u1 (m2) a2 6"},
	{"a late block stands before the results", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, call("t1", "A")), answer("r1", "a1", "t1", "1"), user("n1", "r1", "note", meta),
		block("a2", "n1", "m1", 7, call("t2", "B")), answer("r2", "a2", "t2", "2"),
	}, "u1 (m1) a1 a2 7 r1 n1 r2"},
	{"one message id on both sides of another reply is two replies", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "b"), block("a2", "u2", "m2", 6, say("y")),
		user("v1", "a2", "a"), block("b1", "v1", "m1", 5, say("x")),
	}, "u1 (m1) a1 5 u2 (m2) a2 6 v1 (m1) b1 5"},

	// Replies that failed or that nobody asked for.
	{"a failed request is a reply without usage", []obj{
		user("u1", "", "go"), hostError("e1", "u1"), user("u2", "e1", "again"), block("a1", "u2", "m1", 5, say("x")),
	}, "u1 (id-e1) u2 (m1) a1 5"},
	{"an error right behind a reply is no request", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, say("x")), hostError("e1", "a1"), hostError("e2", "e1"), user("u2", "e2", "on"),
	}, "u1 (m1) a1 5 u2"},
	{"two errors in a row are one request", []obj{
		user("u1", "", "go"), hostError("e1", "u1"), hostError("e2", "e1"),
	}, "u1 (id-e1)"},
	{"a reply that the host made up is sent, but nobody asked for it", []obj{
		user("u1", "", "go"), rec("assistant", "a1", "u1", obj{"message": obj{
			"id": "m1", "model": "<synthetic>", "content": []obj{say("No response requested.")}, "usage": obj{"input_tokens": 0},
		}}), user("u2", "a1", "on"),
	}, "u1 a1 u2"},

	// Subagents.
	{"a subagent's records stand apart", []obj{
		user("u1", "", "go"), block("a1", "u1", "m1", 5, call("t1", "Task")), user("x1", "", "sub", side), block("x2", "x1", "mx", 90, say("x"), side),
		answer("r1", "a1", "t1", "done"),
	}, "u1 (m1) a1 5 r1"},
	{"a subagent's own file is its main chain", []obj{
		user("x1", "", "sub", side), block("x2", "x1", "mx", 90, say("x"), side),
	}, "x1 (mx) x2 90"},
	{"a main record turns what a subagent wrote before it apart", []obj{
		user("x1", "", "sub", side), block("x2", "x1", "mx", 90, say("x"), side), user("u1", "x2", "go"), user("u2", "u1", "on"),
	}, "u1 u2"},

	// Compaction.
	{"a compaction replaces the list, replies before it stay", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), boundary("s1", "a1", obj{"preTokens": 5}), summary("u2", "s1"),
		rec("attachment", "x1", "u2", obj{"attachment": obj{"type": "file"}}), user("u3", "x1", "b"), block("a2", "u3", "m2", 3, say("y")),
	}, "u1 (m1) a1 5 [u2] u3 (m2) a2 3"},
	{"without a logical parent a compaction follows the end of the conversation", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), user("k1", "u1", "<bash-input>x"), boundary("s1", "", nil), summary("u2", "s1"),
	}, "u1 (m1) a1 5 [u2]"},
	{"a boundary alone leaves nothing", []obj{user("u1", "", "a"), boundary("s1", "u1", nil)}, "u1 []"},
	{"two compactions", []obj{
		user("u1", "", "a"), boundary("s1", "u1", nil), summary("u2", "s1"), user("u3", "u2", "b"), boundary("s2", "u3", nil), summary("u4", "s2"),
	}, "u1 [u2] u3 [u4]"},
	{"a rewind to before a compaction takes it back", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), boundary("s1", "a1", nil), summary("u2", "s1"), user("u3", "a1", "b"),
	}, "u1 (m1) a1 5 u3"},
	{"kept records follow the summary", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "b"), block("a2", "u2", "m2", 6, say("y")),
		boundary("s1", "a2", obj{"preservedMessages": obj{"anchorUuid": "u3", "uuids": []string{"u2", "a2"}}}), summary("u3", "s1"), user("u4", "u3", "c"),
	}, "u1 (m1) a1 5 u2 (m2) a2 6 [u3 u2 a2] u4"},
	{"what hangs off a kept record follows the compaction", []obj{
		user("u1", "", "a"), block("a1", "u1", "m1", 5, say("x")), user("u2", "a1", "b"), block("a2", "u2", "m2", 6, say("y")),
		boundary("s1", "a2", obj{"preservedMessages": obj{"anchorUuid": "u3", "uuids": []string{"u2", "a2"}}}), summary("u3", "s1"), user("u4", "a2", "c"),
	}, "u1 (m1) a1 5 u2 (m2) a2 6 [u3 u2 a2] u4"},
	{"what hangs off a record that stays but is not sent follows the compaction too", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"), rec("system", "n1", "u2", obj{"subtype": "turn_duration"}),
		boundary("s1", "n1", obj{"preservedMessages": obj{"anchorUuid": "u3", "uuids": []string{"u2"}, "allUuids": []string{"u2", "n1"}}}),
		summary("u3", "s1"), user("u4", "n1", "c"),
	}, "u1 u2 [u3 u2] u4"},
	{"a kept piece is given by its ends", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"), block("a1", "u2", "m1", 5, call("t1", "A")), block("a2", "a1", "m1", 5, call("t2", "B")),
		answer("r1", "a1", "t1", "1"), answer("r2", "a2", "t2", "2"), block("a3", "r1", "m2", 6, say("x")),
		boundary("s1", "a3", obj{"preservedSegment": obj{"headUuid": "u2", "anchorUuid": "u3", "tailUuid": "a3"}}), summary("u3", "s1"), user("u4", "a3", "c"),
	}, "u1 u2 (m1) a1 a2 5 r1 r2 (m2) a3 6 [u3 u2 a1 a2 r1 r2 a3] u4"},
	{"a kept piece whose ends do not meet is nothing", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"),
		boundary("s1", "u2", obj{"preservedSegment": obj{"headUuid": "gone", "anchorUuid": "u3", "tailUuid": "u2"}}), summary("u3", "s1"),
	}, "u1 u2 [u3]"},
	{"kept records follow the boundary where it is the anchor", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"),
		boundary("s1", "u2", obj{"preservedMessages": obj{"anchorUuid": "s1", "uuids": []string{"u2"}}}), summary("u3", "s1"),
	}, "u1 u2 [u2] u3"},
	{"an anchor that comes after something else", []obj{
		user("u1", "", "a"), user("u2", "u1", "b"),
		boundary("s1", "u2", obj{"preservedMessages": obj{"anchorUuid": "n1", "uuids": []string{"u2"}}}), user("u3", "s1", "c"), user("n1", "u3", "d"), user("u4", "u2", "e"),
	}, "u1 u2 [u2] u3 n1 u4"},
}
