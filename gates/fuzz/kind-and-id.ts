import { kinds } from '@gantry/control-plane/lookup/kinds'
import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'
import type { Thing } from './world.ts'

export type Near = (table: string) => Thing | undefined

/** The table of a kind by its word. */
export const tableOf = (word: string): string =>
  word === 'floating-ip'
    ? 'external_ip'
    : (Object.entries(kinds).find(([, kind]) => kind.word === word)?.[0] ?? word)

interface Named {
  of: readonly string[]
  parameter: string
  chance: Chance
  near: Near
}

/** Names an object of one of these kinds by its id, with the kind beside it. */
export function nameByKind(draft: Draft, { of, parameter, chance, near }: Named): Thing | undefined {
  const kind = chance.pick(of)
  const thing = near(tableOf(kind))
  draft.path = draft.op.path.replace(`{${parameter}}`, thing?.id ?? crypto.randomUUID())
  draft.query = [...draft.query.filter(([name]) => name !== 'kind'), ['kind', kind]]
  return thing
}
