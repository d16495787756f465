// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import { differingFields, isSameRule, type Rule, ruleOf, withFieldsOf } from './rule.ts'

/**
 * A change of one rule: add it (`was` is undefined), replace it, or remove it (`rule` is undefined). Rules are
 * identified by name, because the server creates all of them anew whenever the list is replaced.
 */
export interface RuleChange {
  was?: string | undefined
  rule?: Rule | undefined
}

export type Choice = 'mine' | 'theirs' | 'both'

/** A rule that another user has changed since this user read it. */
export interface Conflict {
  name: string
  /** The version when the user started. */
  base: Rule | undefined
  /** The current version. */
  theirs: Rule | undefined
  /** The user's version. */
  mine: Rule | undefined
  /** Both users' changes merged, if that differs from either. */
  both: Rule | undefined
  /** The remaining changes for each decision. */
  changes: (choice: Choice) => readonly RuleChange[]
}

export interface Merge {
  /** The changes to make to the current list. */
  changes: readonly RuleChange[]
  /** The conflicts to resolve first. */
  conflicts: readonly Conflict[]
}

const named = (rules: readonly Rule[], name: string | undefined): Rule | undefined =>
  name === undefined ? undefined : rules.find((rule) => rule.name === name)

/** Rebases changes of one list onto another, rule by rule. Leaves every conflict to the user. */
export function merge(base: readonly Rule[], theirs: readonly Rule[], changes: readonly RuleChange[]): Merge {
  const conflicts: Conflict[] = []
  const remaining = changes.filter((change) => {
    if (isDone(theirs, change)) return false
    const conflict = changedConflict(base, theirs, change) ?? takenConflict(base, theirs, change, changes)
    if (conflict) conflicts.push(conflict)
    return !conflict
  })
  return { changes: remaining, conflicts }
}

/** Another user has made the same change. */
function isDone(theirs: readonly Rule[], { was, rule }: RuleChange): boolean {
  const isGone = was === undefined || was === rule?.name || !named(theirs, was)
  if (!rule) return isGone
  const current = named(theirs, rule.name)
  return isGone && current !== undefined && isSameRule(current, rule)
}

/** The rule to change was changed or removed. */
function changedConflict(
  base: readonly Rule[],
  theirs: readonly Rule[],
  change: RuleChange,
): Conflict | undefined {
  const { was, rule: mine } = change
  const before = named(base, was)
  if (was === undefined || !before) return undefined
  const current = named(theirs, was)
  if (current && isSameRule(before, current)) return undefined
  const both = mine && current && combined(before, current, mine)
  return {
    name: was,
    base: before,
    theirs: current,
    mine,
    both,
    changes: (choice) => {
      if (choice === 'theirs') return []
      return [{ was: current && was, rule: choice === 'both' ? both : mine }]
    },
  }
}

/** The rule's new name was taken in the meantime. */
function takenConflict(
  base: readonly Rule[],
  theirs: readonly Rule[],
  change: RuleChange,
  all: readonly RuleChange[],
): Conflict | undefined {
  const { was, rule: mine } = change
  if (!mine || mine.name === was) return undefined
  const { name } = mine
  const current = named(theirs, name)
  if (!current || all.some((other) => other.was === name)) return undefined
  return {
    name,
    base: named(base, name),
    theirs: current,
    mine,
    both: undefined,
    changes: (choice) => (choice === 'theirs' ? [] : [{ was: name }, change]),
  }
}

/** Both versions merged, if they changed different fields. */
function combined(before: Rule, current: Rule, mine: Rule): Rule | undefined {
  const ours = differingFields(before, mine)
  const others = differingFields(before, current)
  return ours.some((field) => others.includes(field)) ? undefined : withFieldsOf(ruleOf(current), mine, ours)
}

/** The complete list to send; changed rules come last. */
export function applied(rules: readonly Rule[], changes: readonly RuleChange[]): Rule[] {
  const changedNames = new Set(changes.map(({ was }) => was))
  return [
    ...rules.filter(({ name }) => !changedNames.has(name)).map(ruleOf),
    ...changes.flatMap(({ rule }) => (rule ? [ruleOf(rule)] : [])),
  ]
}

/** Names of the rules that differ between two versions of a list. */
export function namesTouched(base: readonly Rule[], theirs: readonly Rule[]): string[] {
  const isOther = (rules: readonly Rule[]) => (rule: Rule) => {
    const other = named(rules, rule.name)
    return !other || !isSameRule(rule, other)
  }
  return [...new Set([...base.filter(isOther(theirs)), ...theirs.filter(isOther(base))].map((r) => r.name))]
}
