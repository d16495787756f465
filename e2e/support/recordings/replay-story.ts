import type { Browser } from '@playwright/test'
import { isStep } from '../../../packages/console/src/kit/code/script.ts'
import { sessionOf } from '../stage-server.ts'
import type { Served } from '../gantry.ts'
import type { User } from '../stage.ts'
import type { Renewed } from './installations.ts'
import { type Way, runPlan, runScript, together, ways } from './replay.ts'
import { namesFor, type Person, sentBy } from './sent.ts'
import { differences, type Read, stateOf } from './state.ts'

interface Outcome {
  /** How many requests were repeated; none if the test changed nothing. */
  requests: number
  way: Way
  /** Why it stopped, where states differ. */
  problems: readonly string[]
  /** What the recording says that it cannot repeat. */
  notes: readonly string[]
}

/** Repeats what the users of a test sent on a new installation, and compares what both hold. */
export async function replayStory(
  gantry: Renewed,
  browser: Browser,
  users: ReadonlySet<User>,
  title: string,
): Promise<Outcome> {
  const people = await peopleOf(gantry, browser, users)
  const sent = (await Promise.all(people.map((person) => sentBy(gantry.url, person)))).flat()
  const requests = sent.filter(({ step }) => isStep(step)).length
  const way = wayOf(title)
  const notes = sent.flatMap(({ step }) =>
    isStep(step) ? (step.hasBytes ? [step.op.name] : []) : [step.note],
  )
  if (requests === 0) return { requests, way, problems: [], notes }
  const recording = { steps: together(sent), known: await namesFor(gantry.url, sent), server: gantry.url }
  const original = reader(gantry.url, await sessionOf(gantry, 'admin'))
  const before = await stateOf(original)
  const other = await gantry.another()
  try {
    const replayed = reader(other.url, await sessionOf(other, 'admin'))
    const idThere = async (id: string): Promise<string | undefined> =>
      (await stateOf(replayed)).ids.get(before.names.get(id) ?? '')
    const target = { url: other.url, idThere }
    const stopped =
      way === 'plan' ? await runPlan(recording, target) : await runScript(way, recording, target)
    if (stopped !== undefined) return { requests, way, problems: [stopped], notes }
    return { requests, way, problems: await settled(original, replayed), notes }
  } finally {
    await other.remove()
  }
}

/** By the title, so that a test is repeated in the same way each time; `GANTRY_REPLAY` chooses for all. */
const wayOf = (title: string): Way => {
  const chosen = ways.find((way) => way === process.env.GANTRY_REPLAY)
  return chosen ?? ways[title.length % ways.length] ?? 'plan'
}

/** The users with a session, also those whom the test created. */
async function peopleOf(gantry: Served, browser: Browser, users: ReadonlySet<User>): Promise<Person[]> {
  const cookies: string[] = []
  for (const user of users) cookies.push(await sessionOf(gantry, user))
  for (const context of browser.contexts())
    for (const { name, value } of await context.cookies(gantry.url)) cookies.push(`${name}=${value}`)
  const people = new Map<string, Person>()
  for (const cookie of cookies) {
    const me = (await reader(gantry.url, cookie)('/v1/me')) as
      | { id: string; display_name: string; silo_name: string }
      | undefined
    if (me && !people.has(me.id))
      people.set(me.id, { id: me.id, username: me.display_name, silo: me.silo_name, cookie })
  }
  return [...people.values()]
}

const reader =
  (base: string, cookie: string): Read =>
  async (path) => {
    const response = await fetch(base + path, { headers: { cookie, 'api-version': await newest } })

    return response.ok ? response.json() : undefined
  }

const newest = import('@gantry/api/versions/newest.rules').then(({ newestVersionText }) => newestVersionText)

/** Work that the last requests began ends on both soon. */
async function settled(original: Read, replayed: Read): Promise<string[]> {
  let found: string[] = []
  for (const seconds of [0.5, 2, 4, 8]) {
    found = differences(await stateOf(original), await stateOf(replayed))
    if (found.length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
  return found
}
