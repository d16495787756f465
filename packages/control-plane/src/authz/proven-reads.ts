import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Cx } from '../context/cx.ts'
import type { Proof } from './proof.ts'
import { Outdated } from './recent-callers.ts'

/** A look-up of one row, whose columns include its id. */
export interface LookUp {
  columns: string
  from: string
  where: string
}

/** Texts of look-ups by key: every request looks something up, so none is assembled twice. */
const texts = new Map<string, string>()

/**
 * The row of a look-up; for a caller who is recognised and not yet proven, the statement proves them too
 * (`recent-callers.ts`). `key` names look-ups of the same text.
 */
export async function readOne<Row extends { id: unknown }>(
  cx: Cx,
  key: string,
  bound: readonly string[],
  lookUp: () => LookUp,
): Promise<Row | undefined> {
  const { proof } = cx
  const textKey = proof ? `${key} ${proof.key}` : key
  let text = texts.get(textKey)
  if (text === undefined) {
    const { columns, from, where } = lookUp()
    text = proof
      ? proof.text({ columns, from, where, parameters: bound.length })
      : `SELECT ${columns} FROM ${from} WHERE ${where} LIMIT 1`
    texts.set(textKey, text)
  }
  const asked = CompiledQuery.raw(text, [...bound, ...(proof?.bound ?? [])])
  const [row] = (await cx.db.executeQuery<Row>(asked)).rows
  if (proof) settle(cx, proof, row !== undefined)
  // Beside a proof, no row is one of nulls.
  return row?.id === null ? undefined : row
}

/** Rows in their order, read like one. `always` is a column that is null in none of them. */
export async function readRows<Row>(
  cx: Cx,
  rows: RawBuilder<Row>,
  { order, always }: { order: RawBuilder<unknown>; always: keyof Row },
): Promise<Row[]> {
  const { proof } = cx
  if (!proof) return (await rows.execute(cx.db)).rows
  const found = (await proof.rows(rows, order).execute(cx.db)).rows
  settle(cx, proof, found.length > 0)
  return found.filter((row) => row[always] !== null)
}

/** Proves by a statement of its own what no other has proven. */
export async function prove(cx: Cx): Promise<void> {
  const { proof } = cx
  if (!proof) return
  const { rows } = await cx.db.executeQuery(CompiledQuery.raw(proof.text(), proof.bound))
  settle(cx, proof, rows.length > 0)
}

/** Takes note of a statement with this proof: it found a row if the proof holds. One that proves more remains. */
function settle(cx: Cx, proof: Proof, holds: boolean): void {
  if (!holds) throw new Outdated()
  if (cx.proof === proof) cx.proof = undefined
}
