import { asFailure, Failure } from '#/data/failure.ts'
import { applied, type Choice, type Conflict, merge, namesTouched, type RuleChange } from './merge.ts'
import type { FirewallRule, Rule } from './rule.ts'

/** A list of rules and what the server calls that state of it, if it does. */
export interface SeenRules {
  rules: readonly FirewallRule[]
  etag: string | undefined
}

export interface RuleServer {
  read: () => Promise<SeenRules>
  /** Replaces the list; a `Failure` of 412 where it is another one by now. */
  send: (rules: Rule[], etag: string | undefined) => Promise<unknown>
}

/** Answers a choice for each conflict; nothing where the person wants to look again first. */
export type Decide = (conflicts: readonly Conflict[]) => Promise<readonly Choice[] | undefined>

export interface SavedRules {
  /** Names of rules that others have changed meanwhile, and whose changes are kept. */
  merged: readonly string[]
  /** What was given up for what others did. */
  given: readonly Conflict[]
  /** Whether anything was left to do. */
  isChanged: boolean
}

/** Others save as often as this in a row only where something goes wrong. */
const attempts = 10

/**
 * Makes changes to the list that was seen. If it is another one by now, they are carried over to that: by themselves
 * where others have touched other rules, and else as the person decides. Nobody's work is overwritten unseen.
 */
export async function saveChanges(
  server: RuleServer,
  decide: Decide,
  seen: SeenRules,
  wanted: readonly RuleChange[],
): Promise<SavedRules> {
  const touched = new Set<string>()
  const given: Conflict[] = []
  let now = seen
  let changes = wanted
  for (let attempt = 1; ; attempt++) {
    // Without an ETag the server would overwrite what came in between: as late a look as can be makes that unlikely.
    const current = now.etag === undefined || attempt > 1 ? await server.read() : now
    for (const name of namesTouched(now.rules, current.rules)) touched.add(name)
    changes = await carriedOver(decide, now, current, changes, given)
    now = current
    if (changes.length === 0) break
    try {
      await server.send(applied(now.rules, changes), now.etag)
      break
    } catch (error) {
      if (asFailure(error).statusCode !== 412 || attempt === attempts) throw error
    }
  }
  const own = new Set(wanted.flatMap(({ was, rule }) => [was, rule?.name]))
  const merged = [...touched].filter((name) => !own.has(name))
  return { merged, given, isChanged: changes.length > 0 }
}

/** Until nothing is left to decide: what was decided can meet a further rule, such as one of the same name. */
async function carriedOver(
  decide: Decide,
  from: SeenRules,
  to: SeenRules,
  wanted: readonly RuleChange[],
  given: Conflict[],
): Promise<readonly RuleChange[]> {
  if (from === to) return wanted
  let { changes, conflicts } = merge(from.rules, to.rules, wanted)
  while (conflicts.length > 0) {
    const choices = await decide(conflicts)
    if (!choices) throw notSaved(conflicts)
    given.push(...conflicts.filter((_, index) => choices[index] === 'theirs'))
    const decided = conflicts.flatMap((conflict, index) => conflict.changes(choices[index] ?? 'theirs'))
    ;({ changes, conflicts } = merge(to.rules, to.rules, [...changes, ...decided]))
  }
  return changes
}

const notSaved = (conflicts: readonly Conflict[]): Failure =>
  new Failure({
    statusCode: 412,
    message: `Someone else has changed ${conflicts.map(({ name }) => name).join(', ')}. Nothing is saved yet.`,
  })
