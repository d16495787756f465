type Allows = Readonly<Record<string, readonly string[]>>

/** `a`, `a or b`, `a, b, or c`. */
export function series(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length <= 2) return words.join(` ${conjunction} `)
  return `${words.slice(0, -1).join(', ')}, ${conjunction} ${words.at(-1)}`
}

/** A state or a role in a sentence: `limited collaborator`. */
export const spoken = (state: string): string => state.replaceAll('_', ' ')

/** Whether a table of states allows an action. */
export function allows<Table extends Allows>(
  table: Table,
  action: keyof Table & string,
  state: string,
): boolean {
  const states: readonly string[] | undefined = table[action]
  return states?.includes(state) ?? false
}

/** The sentence that says why an action is unavailable in this state; undefined when it is available. */
export function whyNot<Table extends Allows>(
  table: Table,
  action: keyof Table & string,
  state: string,
): string | undefined {
  if (allows(table, action, state)) return undefined
  return `Only available when ${series((table[action] ?? []).map(spoken), 'or')}`
}
