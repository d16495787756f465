import type { OxqlQueryResult } from '@gantry/api/metrics/metric'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import type { OxqlTable } from '@gantry/control-plane/oxql/model'

/** Points of an answer that are written at once; a larger one is written a timeseries at a time. */
const pointsAtOnce = 20_000

const pointsOf = (tables: readonly OxqlTable[]): number =>
  tables.reduce(
    (sum, { timeseries }) => sum + timeseries.reduce((all, { points }) => all + points.timestamps.length, 0),
    0,
  )

/**
 * The answer to a query. The text of a million points takes most of a second, which would block all other requests: it is
 * created in pieces, with turns of others in between, while the query still holds its place.
 */
export async function answerWith(
  tables: readonly OxqlTable[],
  signal: AbortSignal | undefined,
): Promise<OxqlQueryResult | Reply> {
  // The language's types pair a field's type and value more loosely than the contract's.
  if (pointsOf(tables) <= pointsAtOnce) return { tables: tables as OxqlQueryResult['tables'] }
  const text = new TextEncoder()
  const pieces: Uint8Array[] = []
  let sincePause = 0
  for (const [piece, points] of piecesOf(tables)) {
    pieces.push(text.encode(piece))
    sincePause += points
    if (sincePause < pointsAtOnce) continue
    sincePause = 0
    await new Promise((resolve) => setTimeout(resolve))
    signal?.throwIfAborted()
  }
  const left = pieces.values()
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = left.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  return new Reply(undefined, { 'content-type': 'application/json' }, { stream })
}

/** The JSON text of the answer, with the number of points in each piece. */
function* piecesOf(tables: readonly OxqlTable[]): Generator<[piece: string, points: number]> {
  yield ['{"tables":[', 0]
  for (const [index, { name, timeseries }] of tables.entries()) {
    yield [`${index > 0 ? ',' : ''}{"name":${JSON.stringify(name)},"timeseries":[`, 0]
    for (const [at, one] of timeseries.entries())
      yield [`${at > 0 ? ',' : ''}${JSON.stringify(one)}`, one.points.timestamps.length]
    yield [']}', 0]
  }
  yield [']}', 0]
}
