package kernel

// The prose of the nudge text. What hosts must agree on are the data lines;
// these words are this program's own.

const proseEfficiency = `This is an early and optional note about efficiency. The context is not about to overflow: if nothing below is worth folding yet, go on with the task. A stronger notice would come before room runs out.
` + prosePhilosophy

const proseEmergency = `[EMERGENCY — CONTEXT LIMIT] The limit of the context is reached. Compress now, before the next step of the task, and begin with tool output that has served its purpose.
` + prosePhilosophy

const prosePhilosophy = `A summary takes the place of the original messages in every request from now on, so it has to carry everything that is needed to continue. What is best given up is raw output that was already used: logs, listings, file contents and search results from which you drew your conclusions. Do not compress what you are still working with.`

const proseHowTo = `HOW TO SUMMARISE
Keep, word for word:
- file paths, names of functions, types, variables, branches, tickets and hosts
- error messages exactly as they were printed, with codes and line numbers
- commands that mattered, with their arguments, and what they answered
- numbers: versions, sizes, counts, limits, measured times
- what the user asked for, wants, forbade or decided, in the user's own words where they are short; name the ref of the message that you quote
- decisions together with their reasons, and the alternatives that were turned down
- open questions, known defects and every objective that is not reached yet
Leave out:
- greetings, small talk and comments on your own progress
- attempts that were repeated, once what came of them is said
- dumps that were read and acted upon; say what they showed
- what stands in the repository and can be read there again, apart from where to find it
Say plainly:
- what the user wants and what you concluded are two things; keep them apart and never turn a guess of yours into an instruction
- what was tried and failed, and why, so that nobody tries it again
- how things stood at the end of the range: what is done, what is half done, what is next. Mark it "as of this block", since later messages may have changed it
- the order in which things happened, where it matters
Form:
- each summary has to be understood by itself, without the messages that it replaces and without other summaries
- keep the language of the conversation and write real characters, not escape sequences
- report; never write an imagined dialogue or a transcript
- several ranges go into one call, each with a summary and a short topic of its own
- choose ranges that belong together by subject, and end them where a step of the work ended
- stay below the length limit of a summary. When space is short keep, in this order: the user's instructions, open items, decisions with reasons, exact identifiers and errors, results, the way that led to them
Before you send the call, read the summary once more as somebody would who knows nothing else: could that person take up the work at this point, with the right files, the right commands and the right intentions? If not, add what is missing; if a sentence would help nobody to continue, take it out.`

const proseOlderFirst = `Use only ids that you can see in this conversation, and take older ranges before newer ones.`

const proseOneCall = `Several ranges fit into one call: give the content array one entry for each.`

const (
	tagTier2          = `[TIER 2 DISTILLATION TRIGGER]`
	tagTier3          = `[TIER 3 CONDENSATION TRIGGER]`
	tagTier2Emergency = `[EMERGENCY — TIER 2 DISTILLATION]`
	tagTier3Emergency = `[EMERGENCY — TIER 3 CONDENSATION]`
)

const proseUrgent = ` The limit of the context is reached; do this before anything else.`

const proseTier2Guidance = `Merge the tier-1 blocks below into one tier-2 block: give the id of the first block as startId and that of the last as endId. ` + proseSpan

const proseTier3Guidance = `Condense the tier-2 blocks below into one tier-3 block: give the id of the first block as startId and that of the last as endId. ` + proseSpan

const proseSpan = `Raw messages that stand between the two are taken in as well: summarise those by the rules for messages and the old summaries by the rules for their tier. Nothing that lies in between may be lost.`

const proseTier2Rules = `RULES FOR TIER 2
- write one text out of several tier-1 summaries, denser than all of them together
- say once what several of them say; where they contradict one another the newest holds, and note that it changed when that matters
- of work that is finished keep how it ended and where its traces are, not how it went
- keep every identifier, path, decision, user instruction and open item that any of them holds
- keep failures that could be repeated, each with its cause in a clause
- order by subject, with the time of events inside a subject
- drop intermediate states, counts that were superseded and references to messages that no longer exist
- name the blocks that went in, so that the details can be looked up`

const proseTier3Rules = `RULES FOR TIER 3
- keep what lasts: facts about the project, decisions that still bind, constraints, the user's standing instructions, and references to where things are
- drop how it came about, whatever was settled for good, and every state that is no longer so
- state each fact once, in a sentence that can be understood by itself
- keep identifiers exact, and mark what may have gone out of date
- keep objectives that are still open, even when they are old`

const proseGivenEarlier = `The full rules for summaries were given earlier in this session and still hold.`

var prosePurpose = map[NudgeKind]string{
	NudgeGentle:    `Optional: part of the context could be folded now to make room.`,
	NudgeEmergency: `The limit of the context is reached: compress now, older ranges first.`,
	NudgeTier2:     `The tier-1 summaries can be merged into one denser block now.`,
	NudgeTier3:     `The tier-2 summaries can be condensed into one lasting block now.`,
}
