import { ops, operationId, type OpName } from '@gantry/api/registry'
import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { Client } from '../e2e/support/client.ts'
import { Gantry } from '../e2e/support/gantry.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Chance } from './fuzz/chance.ts'
import { type Operation, operationAt, operations } from './fuzz/document.ts'
import { Flood } from './fuzz/flood.ts'
import { attack, mutate } from './fuzz/hostile.ts'
import { type Answered, LeakDetector, formProblems } from './fuzz/judge.ts'
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
/** Requests until everything is restored: enough to build upon earlier ones, few enough that much is left. */
const chapter = 300
/** Maximum number of valid requests per operation until one succeeds. */
const tries = 80
/** These can change what a caller may see, or end the caller's access, so everything is restored at once. */
const changesRoles =
  /policy_update|set_password|password_change|local_idp_user|silo_(create|delete)|user_logout|^logout|session_delete|access_token_delete|project_delete|second_factor_(reset|settings_update)|alert_receiver_delete/
type Kind = 'valid' | 'mutated' | 'hostile'

/** Callers who are likely to be allowed. */
function isAble({ path }: Operation, { label }: Role): boolean {
  // Both roles count: probes are in a project, backups are adopted into one, and receivers get the activity of those
  // that the caller may see.
  if (/\/probes|\/activity-places|\/adopt$/.test(path)) return label === 'fleet admin in a project'
  const isOfFleet = /\/system\/|\/faults|\/(alert|webhook|saml)-|\/alerts\//.test(path)
  return label === (isOfFleet ? 'fleet admin' : 'silo admin')
}

/** A control plane with a scene, and everything that checks its responses. */
async function stage() {
  const chance = new Chance(seed)
  const scene = await furnish(chance)
  const { bed, roles } = scene
  onTestFinished(() => bed.stop())
  const things = await survey(bed)
  const kept = await Restorer.keep(bed)
  const writer = new Writer(chance, things, scene)
  const detector = new LeakDetector(
    // A user who signs in knows their own name.
    things.filter(({ name }) => name !== scene.user.name),
    scene.secrets,
  )
  const report = new Report()
  let sent = 0

  async function restore(): Promise<void> {
    await kept.restore()
    detector.forget()
  }

  /**
   * Writes one request, mutates it, sends it, and checks the response; returns the status, or undefined for
   * an impossible request.
   */
  async function ask(op: Operation, role: Role, kind: Kind): Promise<number | undefined> {
    const draft = await writer.write(op, role)
    if (kind === 'mutated') mutate(draft, chance)
    if (kind === 'hostile') attack(draft, chance)
    const request = requestOf(draft)
    if (!request) return undefined
    const requestText = spoken(draft)
    const asked = operationAt(request.method, new URL(request.url).pathname)
    const address = `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`
    const answer = await receive(bed.plane, asked, request, address)
    const reader: Role = isTheirs(draft.headers, role) ? role : { label: 'anonymous', headers: draft.headers }
    // An image that was moved into a project is told to its users.
    if (asked?.path === '/ext/v1/changes' || asked?.path.startsWith('/v1/images'))
      await noteImages(bed, things)
    report.count(reader.label, kind, asked?.id ?? 'none', answer.status)
    const problems = [
      ...formProblems(asked, answer),
      ...detector.leaks(reader, requestText, answer.text, asked?.path),
    ]
    if (problems.length > 0) report.fault({ n: sent, role: role.label, draft, answer, problems })
    if (asked === op) rememberToken(writer, op.id, answer)
    if (request.method !== 'GET' && answer.status < 300) {
      detector.wrote(reader, requestText)
      if (asked && changesRoles.test(asked.id)) await restore()
    }
    if (++sent % chapter === 0) await restore()
    return answer.status
  }
  return { ask, bed, chance, roles, report, count: () => sent }
}

test(`${requests} requests of every kind and role cause no error`, async () => {
  console.log(`GANTRY_FUZZ_SEED=${seed} GANTRY_FUZZ_REQUESTS=${requests}`)
  const { ask, bed, chance, roles, report, count } = await stage()
  for (const op of operations) {
    const able = roles.filter((role) => isAble(op, role))
    for (let n = 0; n < tries; n++) {
      const status = await ask(op, chance.pick(chance.odds(70) ? able : roles), 'valid')
      if (status !== undefined && status < 400) break
    }
  }
  // Destructive operations come up less often, so that more is left to test.
  const drawn = operations.flatMap((op) =>
    Array.from({ length: op.method === 'DELETE' || changesRoles.test(op.id) ? 1 : 3 }, () => op),
  )
  while (count() < requests) {
    const op = chance.pick(drawn)
    // Permitted callers come up a little more often, so that code after authorisation is tested too.
    const able = roles.filter((role) => isAble(op, role))
    const kind = chance.pick(['valid', 'valid', 'mutated', 'mutated', 'hostile'] as const)
    await ask(op, chance.pick(chance.odds(25) ? able : roles), kind)
  }
  report.print(operations.map(({ id }) => id))
  const errors = bed.logged.filter(({ level }) => level === 'error')
  // The faults say which request it was.
  expect([
    ...report.faults,
    ...errors.map(({ message, fields }) => `${message} ${String((fields.err as Error | undefined)?.stack)}`),
  ]).toEqual([])
  expect(report.unreached(operations.map(({ id }) => id))).toEqual([])
})

/**
 * Whether the server attributes the request to this user: without a session a token counts, whatever other
 * cookies are sent.
 */
function isTheirs({ cookie, authorization }: Role['headers'], { headers }: Role): boolean {
  if (authorization !== headers.authorization) return false
  return cookie === headers.cookie || (authorization !== undefined && !/(^|;\s*)session=/.test(cookie ?? ''))
}

/** Lists return the tokens that later requests continue with, their own or others'. */
function rememberToken(writer: Writer, op: string, { status, text }: Answered): void {
  if (status !== 200 || !text.includes('"next_page"')) return
  const { next_page } = JSON.parse(text) as { next_page?: string | null }
  if (!next_page) return
  const tokens = writer.tokens.get(op) ?? []
  writer.tokens.set(op, [...tokens.slice(-9), next_page])
}

const isError = (line: string): boolean => /"level":(50|60|"error"|"fatal")/.test(line)
/** Concurrent; each waits a little for further output. */
const sockets = 16

test(`${rawRequests} requests that no client would write leave the server intact`, async () => {
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
  // One of the requests may have ended the session; the process is the same, and answers.
  await client.signIn()
  expect((await client.send('GET', '/v1/me')).status).toBe(200)
  expect(gantry.log.split('\n').filter(isError)).toEqual([])
  expect(faults).toEqual([])
  // Most get some response; only truncated requests time out.
  expect(counts.get(0) ?? 0).toBeLessThan(rawRequests / 3)
})

/** How much the process may grow, whatever is sent: far less than the total of all bodies. */
const maxGrowthMiB = 300

test("input over any operation's limit is refused with an explanation while others are answered", async () => {
  const settings = { limits: { requests_per_second: 1_000_000, request_burst: 1_000_000 } }
  const gantry = await new Gantry({ settings }).start()
  onTestFinished(() => gantry.remove())
  const flood = await Flood.open(gantry)
  onTestFinished(() => flood.pings.stop())
  const before = gantry.residentMiB()
  let peak = before
  let fewest = Infinity
  const names = Object.keys(ops) as OpName[]
  for (const name of names) {
    await flood.signIn()
    for (const who of ['anonymous', 'admin'] as const) await flood.ask(operationId(name), ops[name], who)
    fewest = Math.min(fewest, await flood.pings.settle())
    peak = Math.max(peak, gantry.residentMiB())
  }
  const { pings, counts, bytes, faults } = flood
  console.log(`${names.length} operations, ${Math.round(bytes / MiB)} MiB of bodies; answers by status:`)
  console.log(Object.fromEntries([...counts].sort(([a], [b]) => a - b)))
  console.log(`resident: ${before} MiB before, ${peak} MiB at most, ${gantry.residentMiB()} MiB after`)
  console.log(
    `pings: ${pings.answered} answered, ${fewest} for an operation at least, ${pings.maxWaiting} waiting at most`,
  )
  expect(faults).toEqual([])
  expect(pings.faults).toEqual([])
  expect(fewest).toBeGreaterThan(0)
  expect(gantry.log.split('\n').filter(isError)).toEqual([])
  expect(peak - before).toBeLessThan(maxGrowthMiB)
})
