import { expect, test } from 'vitest'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import type { OxqlTable } from '@gantry/control-plane/oxql/model'
import { answerWith } from './answer.ts'

/** Two tables, one of them with many timeseries. */
const tablesWith = (points: number, timeseries: number): OxqlTable[] =>
  [0, timeseries].map((count, index) => ({
    name: `a:"${index}"`,
    timeseries: Array.from({ length: count }, (_, at) => ({
      fields: { n: { type: 'u32', value: at } },
      points: {
        start_times: null,
        timestamps: Array.from({ length: points }, () => '2026-01-01T00:00:00Z'),
        values: [{ metric_type: 'gauge', values: { type: 'integer', values: Array(points).fill(at) } }],
      },
    })),
  }))

async function textOf(reply: unknown): Promise<string> {
  if (!(reply instanceof Reply)) throw new Error('not in pieces')
  return new Response(reply.more.stream).text()
}

test('a small answer is one object', async () => {
  const tables = tablesWith(100, 3)
  expect(await answerWith(tables, undefined)).toEqual({ tables })
})

test('a large answer is the same JSON, made while others have their turns', async () => {
  const tables = tablesWith(15_000, 4)
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const reply = await answerWith(tables, undefined)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(0)
  expect(JSON.parse(await textOf(reply))).toEqual({ tables })
})

test('a large answer is not finished for a caller who is gone', async () => {
  const gone = new AbortController()
  gone.abort()
  await expect(answerWith(tablesWith(15_000, 4), gone.signal)).rejects.toBe(gone.signal.reason)
})
