import { differingFields, isSameRule, type Rule, ruleOf, withFieldsOf } from './rule.ts'

/**
 * What somebody wants of one rule: to add it (it was none), to put another in its place, or to be rid of it (it is to be
 * none). A rule is known by its name, because the server makes every rule anew whenever the list is replaced.
 */
export interface RuleChange {
  was?: string | undefined
  rule?: Rule | undefined
}

export type Choice = 'mine' | 'theirs' | 'both'

/** A rule that somebody else has changed since the person looked at it. */
export interface Conflict {
  name: string
  /** As it was when the person began. */
  base: Rule | undefined
  /** As it is now. */
  theirs: Rule | undefined
  /** As the person wants it. */
  mine: Rule | undefined
  /** With what both have changed, where that is not the same. */
  both: Rule | undefined
  /** What is left to do for each choice. */
  changes: (choice: Choice) => readonly RuleChange[]
}

export interface Merge {
  /** What is to be done to the list of now. */
  changes: readonly RuleChange[]
  /** What has to be decided first. */
  conflicts: readonly Conflict[]
}

const named = (rules: readonly Rule[], name: string | undefined): Rule | undefined =>
  name === undefined ? undefined : rules.find((rule) => rule.name === name)

/** Carries changes that were made to one list over to another, rule by rule; nothing that differs is decided here. */
export function merge(base: readonly Rule[], theirs: readonly Rule[], changes: readonly RuleChange[]): Merge {
  const conflicts: Conflict[] = []
  const kept = changes.filter((change) => {
    if (isDone(theirs, change)) return false
    const conflict = changedConflict(base, theirs, change) ?? takenConflict(base, theirs, change, changes)
    if (conflict) conflicts.push(conflict)
    return !conflict
  })
  return { changes: kept, conflicts }
}

/** Somebody else has wanted the same. */
function isDone(theirs: readonly Rule[], { was, rule }: RuleChange): boolean {
  const isGone = was === undefined || was === rule?.name || !named(theirs, was)
  if (!rule) return isGone
  const now = named(theirs, rule.name)
  return isGone && now !== undefined && isSameRule(now, rule)
}

/** The rule that is to be changed is another one now, or none any more. */
function changedConflict(
  base: readonly Rule[],
  theirs: readonly Rule[],
  change: RuleChange,
): Conflict | undefined {
  const { was, rule: mine } = change
  const before = named(base, was)
  if (was === undefined || !before) return undefined
  const now = named(theirs, was)
  if (now && isSameRule(before, now)) return undefined
  const both = mine && now && combined(before, now, mine)
  return {
    name: was,
    base: before,
    theirs: now,
    mine,
    both,
    changes: (choice) => {
      if (choice === 'theirs') return []
      return [{ was: now && was, rule: choice === 'both' ? both : mine }]
    },
  }
}

/** The name that the rule is to have is now that of another. */
function takenConflict(
  base: readonly Rule[],
  theirs: readonly Rule[],
  change: RuleChange,
  all: readonly RuleChange[],
): Conflict | undefined {
  const { was, rule: mine } = change
  if (!mine || mine.name === was) return undefined
  const { name } = mine
  const now = named(theirs, name)
  if (!now || all.some((other) => other.was === name)) return undefined
  return {
    name,
    base: named(base, name),
    theirs: now,
    mine,
    both: undefined,
    changes: (choice) => (choice === 'theirs' ? [] : [{ was: name }, change]),
  }
}

/** Both sides in one, where they have changed different fields. */
function combined(before: Rule, now: Rule, mine: Rule): Rule | undefined {
  const ours = differingFields(before, mine)
  const others = differingFields(before, now)
  return ours.some((field) => others.includes(field)) ? undefined : withFieldsOf(ruleOf(now), mine, ours)
}

/** The complete list to send: what is touched comes last. */
export function applied(rules: readonly Rule[], changes: readonly RuleChange[]): Rule[] {
  const gone = new Set(changes.map(({ was }) => was))
  return [
    ...rules.filter(({ name }) => !gone.has(name)).map(ruleOf),
    ...changes.flatMap(({ rule }) => (rule ? [ruleOf(rule)] : [])),
  ]
}

/** Names of the rules that differ between two states of a list. */
export function namesTouched(base: readonly Rule[], theirs: readonly Rule[]): string[] {
  const isOther = (rules: readonly Rule[]) => (rule: Rule) => {
    const other = named(rules, rule.name)
    return !other || !isSameRule(rule, other)
  }
  return [...new Set([...base.filter(isOther(theirs)), ...theirs.filter(isOther(base))].map((r) => r.name))]
}
