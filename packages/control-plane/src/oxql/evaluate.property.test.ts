import { expect, it } from 'vitest'
import type { StoredTimeseries, TimeseriesSource } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import { ask } from './testing/ask.ts'
import { Generator } from './testing/generate.ts'
import { MemorySource, type StoredTable } from './testing/memory-source.ts'
import { comparable, slowAnswer } from './testing/slow-evaluator.ts'
import { atSecond } from './testing/tables.ts'

const now = atSecond(170)
const rounds = 400

/** What generated queries are refused for, by the data or by the shape of their filters. */
const refusals =
  /^(?:This query requires at least one full table scan|Cannot split a filter|A table alignment operation may not upsample|Join failed)/

const joinFailed = 'Join failed'

/** The answer, or that there is none. */
function slowly(answer: () => unknown): unknown {
  try {
    return answer()
  } catch (error) {
    if (error instanceof Error && error.message === joinFailed) return joinFailed
    throw error
  }
}

/** Sums of the same numbers in another order differ in the last digits. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value,
    ),
  )

/** Returns everything, whatever is asked for: selecting less is only faster. */
const generous = (tables: readonly StoredTable[]): TimeseriesSource => {
  const exact = new MemorySource(tables)
  return {
    schema: (name) => exact.schema(name),
    async *read({ name }): AsyncGenerator<StoredTimeseries> {
      await Promise.resolve()
      yield* tables.find(({ schema }) => schema.timeseries_name === name)?.timeseries ?? []
    },
  }
}

it(`answers ${rounds} generated queries like the slow evaluator`, async () => {
  let answered = 0
  let substantial = 0
  for (let seed = 1; seed <= rounds; seed++) {
    const generator = new Generator(seed * 7919)
    const tables = generator.tables()
    const text = generator.query()
    const answers = await Promise.all(
      [new MemorySource(tables), generous(tables)].map((source) =>
        ask(source, text, { now }).then(comparable, (error: unknown) => {
          if (error instanceof OxqlError && refusals.test(error.message))
            return error.message.startsWith(joinFailed) ? joinFailed : error.message
          throw new Error(`Query ${text}`, { cause: error })
        }),
      ),
    )
    const [exact, wide] = answers
    expect(rounded({ seed, text, answer: wide })).toEqual(rounded({ seed, text, answer: exact }))
    if (typeof exact === 'string' && exact !== joinFailed) continue
    answered++
    substantial += JSON.stringify(exact).length > 200 ? 1 : 0
    expect(rounded({ seed, text, answer: exact })).toEqual(
      rounded({ seed, text, answer: slowly(() => slowAnswer(text, tables, now)) }),
    )
  }
  // The comparison means something only while most queries have an answer that is not empty.
  expect(answered).toBeGreaterThan(rounds * 0.6)
  expect(substantial).toBeGreaterThan(rounds * 0.25)
})
