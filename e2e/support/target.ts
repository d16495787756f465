import { whyNoPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'

/** What the tests run against; `npm run gates -- preview` or `browser-cluster` selects it. */
export type Target = 'server' | 'cluster' | 'preview'

export const target = targetOf(process.env.GANTRY_TARGET ?? 'server')

/** Whether what the tests do is recorded, and repeated on an empty installation. */
export const replays = process.env.GANTRY_GATE === 'recordings'

function targetOf(name: string): Target {
  if (name === 'server' || name === 'cluster' || name === 'preview') return name
  throw new Error(`GANTRY_TARGET is server, cluster or preview, and not ${name}`)
}

/** The password of every user of silo `demo`; the preview's is public. */
export const password = target === 'preview' ? 'open-to-everybody' : 'pebble-quarry-lamp'

interface Details {
  annotation: { type: string; description: string }[]
}

const annotationType = (name: Target): string => `not on ${name}`

/** Skips a test on a target, with the reason: `test('…', notOn({ preview: 'kills the server' }), …)`. */
export const notOn = (reasons: Partial<Record<Target, string>>): Details => ({
  annotation: Object.entries(reasons).map(([name, description]) => ({
    type: annotationType(name as Target),
    description,
  })),
})

/** Marks the tests of `npm test`: what each area is for, and what must never break. The gate `browser-all` runs every test. */
export const story = { tag: '@story' }

/** Why a test is skipped on this target, if it is. */
export const skipReason = (annotations: { type: string; description?: string }[]): string | undefined =>
  annotations.find(({ type }) => type === annotationType(target))?.description

/** Why every test is skipped: a cluster needs PostgreSQL, which not every host has. */
export const targetSkipReason = async (): Promise<string | undefined> =>
  target === 'cluster' ? whyNoPostgres() : undefined
