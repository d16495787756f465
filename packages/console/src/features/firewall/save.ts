// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import { asFailure, Failure } from '#/data/failure.ts'
import { applied, type Choice, type Conflict, merge, namesTouched, type RuleChange } from './merge.ts'
import type { FirewallRule, Rule } from './rule.ts'

/** A list of rules and its ETag, if the server sends one. */
export interface SeenRules {
  rules: readonly FirewallRule[]
  etag: string | undefined
}

export interface RuleServer {
  read: () => Promise<SeenRules>
  /** Replaces the list. Throws a `Failure` with status 412 if the list has changed. */
  send: (rules: Rule[], etag: string | undefined) => Promise<unknown>
}

/** Resolves to a choice for each conflict, or undefined if the user wants to review first. */
export type Decide = (conflicts: readonly Conflict[]) => Promise<readonly Choice[] | undefined>

export interface SavedRules {
  /** Names of rules with changes of other users that were kept. */
  merged: readonly string[]
  /** The user's changes dropped in favour of others. */
  dropped: readonly Conflict[]
  /** Whether any change remained. */
  isChanged: boolean
}

/** Other users save this often in a row only if something is wrong. */
const attempts = 10

/**
 * Applies changes to the list that the user saw. If the list has changed, rebases them: automatically if other users
 * changed other rules, otherwise as the user decides. Never overwrites another user's changes unseen.
 */
export async function saveChanges(
  server: RuleServer,
  decide: Decide,
  seen: SeenRules,
  wanted: readonly RuleChange[],
): Promise<SavedRules> {
  const touched = new Set<string>()
  const dropped: Conflict[] = []
  let base = seen
  let changes = wanted
  for (let attempt = 1; ; attempt++) {
    // Without an ETag, the server would overwrite concurrent changes. Reading just before the save makes that
    // unlikely.
    const current = base.etag === undefined || attempt > 1 ? await server.read() : base
    for (const name of namesTouched(base.rules, current.rules)) touched.add(name)
    changes = await rebased(decide, base, current, changes, dropped)
    base = current
    if (changes.length === 0) break
    try {
      await server.send(applied(base.rules, changes), base.etag)
      break
    } catch (error) {
      if (asFailure(error).statusCode !== 412 || attempt === attempts) throw error
    }
  }
  const own = new Set(wanted.flatMap(({ was, rule }) => [was, rule?.name]))
  const merged = [...touched].filter((name) => !own.has(name))
  return { merged, dropped, isChanged: changes.length > 0 }
}

/** Repeats until no conflict remains: a resolved change can conflict with a further rule, for example by name. */
async function rebased(
  decide: Decide,
  from: SeenRules,
  to: SeenRules,
  wanted: readonly RuleChange[],
  dropped: Conflict[],
): Promise<readonly RuleChange[]> {
  if (from === to) return wanted
  let { changes, conflicts } = merge(from.rules, to.rules, wanted)
  while (conflicts.length > 0) {
    const choices = await decide(conflicts)
    if (!choices) throw notSaved(conflicts)
    dropped.push(...conflicts.filter((_, index) => choices[index] === 'theirs'))
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
