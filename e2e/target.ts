import { whyNoPostgres } from '../packages/server/src/testing/temporary-postgres.ts'

/** What the stories are told against; `npm run gates -- preview` or `stories-cluster` chooses it. */
export type Target = 'server' | 'cluster' | 'preview'

export const target = targetOf(process.env.GANTRY_TARGET ?? 'server')

function targetOf(name: string): Target {
  if (name === 'server' || name === 'cluster' || name === 'preview') return name
  throw new Error(`GANTRY_TARGET is server, cluster or preview, and not ${name}`)
}

/** Of every user of silo `demo`; that of the preview is in its page for everybody to see. */
export const password = target === 'preview' ? 'open-to-everybody' : 'pebble-quarry-lamp'

interface Details {
  annotation: { type: string; description: string }[]
}

const annotationType = (name: Target): string => `not on ${name}`

/** Where a story cannot be told, and why: `test('…', notOn({ preview: 'kills the server' }), …)`. */
export const notOn = (reasons: Partial<Record<Target, string>>): Details => ({
  annotation: Object.entries(reasons).map(([name, description]) => ({
    type: annotationType(name as Target),
    description,
  })),
})

/** Why a story cannot be told here, if it cannot. */
export const whyNotHere = (annotations: { type: string; description?: string }[]): string | undefined =>
  annotations.find(({ type }) => type === annotationType(target))?.description

/** Why no story at all can be told here: a cluster stands on PostgreSQL, which not every machine has. */
export const whyNoTarget = async (): Promise<string | undefined> =>
  target === 'cluster' ? whyNoPostgres() : undefined
