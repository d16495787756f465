import { ops, operationId, type OpName } from '@gantry/api/registry'
import { GiB, MiB } from '@gantry/api/bytes.rules'
import { Client } from '../e2e/client.ts'
import { Gantry } from '../e2e/gantry.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Chance } from './fuzz/chance.ts'
import { type Operation, operationAt, operations } from './fuzz/document.ts'
import { Flood } from './fuzz/flood.ts'
import { attack, mutate } from './fuzz/hostile.ts'
import { type Answered, Ears, formProblems } from './fuzz/judge.ts'
import { rawRequest, say } from './fuzz/raw.ts'
import { Report } from './fuzz/report.ts'
import type { Role } from './fuzz/people.ts'
import { furnish } from './fuzz/scene.ts'
import { receive, requestOf, spoken } from './fuzz/send.ts'
import { Writer } from './fuzz/valid.ts'
import { noteImages, Restorer, survey } from './fuzz/world.ts'

const seed = Number(process.env.GANTRY_FUZZ_SEED ?? 20_261_121)
const requests = Number(process.env.GANTRY_FUZZ_REQUESTS ?? 50_000)
const rawRequests = Math.min(4000, requests)
/** So many until everything is put back: long enough to build upon what was done, short enough that much is left. */
const chapter = 300
/** Each operation is asked rightly so often at most, until it has gone well for somebody. */
const tries = 80
/** After these somebody may know what they did not before, or cannot ask any more, so everything is put back at once. */
const changesRoles =
  /policy_update|set_password|password_change|local_idp_user|silo_(create|delete)|user_logout|^logout|session_delete|access_token_delete|project_delete|second_factor_(reset|settings_update)/
type Kind = 'valid' | 'mutated' | 'hostile'

/** Whoever may most likely do it. */
const isAble = ({ path }: Operation, { label }: Role): boolean =>
  label === (/\/system\/|\/faults/.test(path) ? 'fleet admin' : 'silo admin')

/** A control plane with a scene in it, and all that watches what it answers. */
async function stage() {
  const chance = new Chance(seed)
  const scene = await furnish(chance)
  const { bed, roles } = scene
  onTestFinished(() => bed.stop())
  const things = await survey(bed)
  const kept = await Restorer.keep(bed)
  const writer = new Writer(chance, things, scene)
  const ears = new Ears(things, scene.secrets)
  const report = new Report()
  let sent = 0

  async function restore(): Promise<void> {
    await kept.restore()
    ears.forget()
  }

  /** Writes one request, spoils it, sends it, and judges what comes back; its status, or undefined if it cannot be said. */
  async function ask(op: Operation, role: Role, kind: Kind): Promise<number | undefined> {
    const draft = await writer.write(op, role)
    if (kind === 'mutated') mutate(draft, chance)
    if (kind === 'hostile') attack(draft, chance)
    const request = requestOf(draft)
    if (!request) return undefined
    const said = spoken(draft)
    const asked = operationAt(request.method, new URL(request.url).pathname)
    const address = `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`
    const answer = await receive(bed.plane, asked, request, address)
    const reader: Role = isTheirs(draft.headers, role) ? role : { label: 'anonymous', headers: draft.headers }
    if (asked?.path === '/ext/v1/changes') await noteImages(bed, things)
    report.count(reader.label, kind, asked?.id ?? 'none', answer.status)
    const problems = [...formProblems(asked, answer), ...ears.leaks(reader, said, answer.text)]
    if (problems.length > 0) report.fault({ n: sent, role: role.label, draft, answer, problems })
    if (asked === op) rememberToken(writer, op.id, answer)
    if (request.method !== 'GET' && answer.status < 300) {
      ears.wrote(reader, said)
      if (asked && changesRoles.test(asked.id)) await restore()
    }
    if (++sent % chapter === 0) await restore()
    return answer.status
  }
  return { ask, bed, chance, roles, report, count: () => sent }
}

test(`${requests} requests of every kind and role find no fault`, async () => {
  console.log(`GANTRY_FUZZ_SEED=${seed} GANTRY_FUZZ_REQUESTS=${requests}`)
  const { ask, bed, chance, roles, report, count } = await stage()
  for (const op of operations) {
    const able = roles.filter((role) => isAble(op, role))
    for (let n = 0; n < tries; n++) {
      const status = await ask(op, chance.pick(chance.odds(70) ? able : roles), 'valid')
      if (status !== undefined && status < 400) break
    }
  }
  // What destroys much comes up less often, so that more is left to try.
  const drawn = operations.flatMap((op) =>
    Array.from({ length: op.method === 'DELETE' || changesRoles.test(op.id) ? 1 : 3 }, () => op),
  )
  while (count() < requests) {
    const op = chance.pick(drawn)
    // Whoever may do it comes up a little more often, so that what is behind a refusal is looked at too.
    const able = roles.filter((role) => isAble(op, role))
    const kind = chance.pick(['valid', 'valid', 'mutated', 'mutated', 'hostile'] as const)
    await ask(op, chance.pick(chance.odds(25) ? able : roles), kind)
  }
  report.print(operations.map(({ id }) => id))
  const errors = bed.logged.filter(({ level }) => level === 'error')
  expect(
    errors.map(({ message, fields }) => `${message} ${String((fields.err as Error | undefined)?.stack)}`),
  ).toEqual([])
  expect(report.faults).toEqual([])
  expect(report.unreached(operations.map(({ id }) => id))).toEqual([])
})

/** Whether the server takes it for theirs: a token counts where there is no session, whatever other cookies there are. */
function isTheirs({ cookie, authorization }: Role['headers'], { headers }: Role): boolean {
  if (authorization !== headers.authorization) return false
  return cookie === headers.cookie || (authorization !== undefined && !/(^|;\s*)session=/.test(cookie ?? ''))
}

/** Lists give the tokens that later requests go on with, theirs or others'. */
function rememberToken(writer: Writer, op: string, { status, text }: Answered): void {
  if (status !== 200 || !text.includes('"next_page"')) return
  const { next_page } = JSON.parse(text) as { next_page?: string | null }
  if (!next_page) return
  const tokens = writer.tokens.get(op) ?? []
  writer.tokens.set(op, [...tokens.slice(-9), next_page])
}

const isError = (line: string): boolean => /"level":(50|60|"error"|"fatal")/.test(line)
/** At once; each waits a little for what may still come. */
const sockets = 16

test(`${rawRequests} requests that no client would write leave the server as it was`, async () => {
  const chance = new Chance(seed)
  const gantry = await new Gantry().start()
  onTestFinished(() => gantry.remove())
  const client = new Client(gantry)
  await client.signIn()
  const machine = { name: 'web', description: '', hostname: 'web', ncpus: 1, memory: GiB, start: true }
  expect((await client.send('POST', '/v1/instances?project=playground', machine)).status).toBe(201)
  const port = Number(new URL(gantry.url).port)
  const counts = new Map<number, number>()
  const faults: string[] = []
  let left = rawRequests
  const talk = async (): Promise<void> => {
    while (left-- > 0) {
      const bytes = rawRequest(chance, client.headers.cookie ?? '')
      const { statuses } = await say(port, bytes, chance.odds(5))
      for (const status of statuses.length > 0 ? statuses : [0])
        counts.set(status, (counts.get(status) ?? 0) + 1)
      if (statuses.some((status) => status >= 500))
        faults.push(`${statuses.join()} to ${bytes.toString('latin1').slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: sockets }, talk))
  console.log(
    'answers to raw requests by status, 0 where none came:',
    Object.fromEntries([...counts].sort(([a], [b]) => a - b)),
  )
  // A logout among them may have ended the session; the process is the same, and answers.
  await client.signIn()
  expect((await client.send('GET', '/v1/me')).status).toBe(200)
  expect(gantry.log.split('\n').filter(isError)).toEqual([])
  expect(faults).toEqual([])
  // Most are answered in some way; only what was cut short is waited for in vain.
  expect(counts.get(0) ?? 0).toBeLessThan(rawRequests / 3)
})

/** What the process may grow by, whatever it is sent: far less than the bodies that were sent, together. */
const mostGrowthMiB = 300

test('more than any operation takes is refused in words while others are answered', async () => {
  const settings = { limits: { requests_per_second: 1_000_000, request_burst: 1_000_000 } }
  const gantry = await new Gantry({ settings }).start()
  onTestFinished(() => gantry.remove())
  const flood = await Flood.open(gantry)
  onTestFinished(() => flood.pings.stop())
  const before = gantry.residentMiB()
  let most = before
  let fewest = Infinity
  const names = Object.keys(ops) as OpName[]
  for (const name of names) {
    await flood.signIn()
    for (const who of ['anonymous', 'admin'] as const) await flood.ask(operationId(name), ops[name], who)
    fewest = Math.min(fewest, await flood.pings.settle())
    most = Math.max(most, gantry.residentMiB())
  }
  const { pings, counts, bytes, faults } = flood
  console.log(`${names.length} operations, ${Math.round(bytes / MiB)} MiB of bodies; answers by status:`)
  console.log(Object.fromEntries([...counts].sort(([a], [b]) => a - b)))
  console.log(`resident: ${before} MiB before, ${most} MiB at most, ${gantry.residentMiB()} MiB after`)
  console.log(
    `pings: ${pings.answered} answered, ${fewest} for an operation at least, ${pings.mostWaiting} waiting at most`,
  )
  expect(faults).toEqual([])
  expect(pings.faults).toEqual([])
  expect(fewest).toBeGreaterThan(0)
  expect(gantry.log.split('\n').filter(isError)).toEqual([])
  expect(most - before).toBeLessThan(mostGrowthMiB)
})
