import http from 'node:http'
import { Client } from '../../e2e/client.ts'
import { Gantry } from '../../e2e/gantry.ts'
import { password } from '../../e2e/target.ts'
import { Pings } from '../fuzz/pings.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'

export const databases = ['embedded', 'PostgreSQL'] as const
export type Database = (typeof databases)[number]

/** What an attack has before it: a server, its people, and somebody else who only wants to be answered. */
export interface Stage {
  gantry: Gantry
  /** Fleet admin and silo admin of `demo`; collaborator of the silo. */
  admin: Client
  member: Client
  /** A client of somebody new in `demo`, with these roles on the silo and on the fleet. */
  person: (name: string, roles: { silo?: string; fleet?: string }) => Promise<Client & { id?: string }>
  remove: () => Promise<void>
}

export async function openStage(database: Database): Promise<Stage | { missing: string }> {
  const postgres = database === 'PostgreSQL' ? await temporaryPostgres() : undefined
  if (postgres && 'missing' in postgres) return postgres
  const url = await postgres?.newDatabase()
  // The last of `X-Forwarded-For` is who calls, so that attacks come from many addresses.
  const gantry = await new Gantry({
    args: ['--trust-proxy'],
    // Few enough that a busy machine can reach them.
    settings: { limits: { requests_per_second: 50, request_burst: 400 } },
    ...(url === undefined ? {} : { database: url }),
  }).start()
  const [admin, member] = [new Client(gantry), new Client(gantry)]
  await admin.signIn()
  await member.signIn('member')
  return {
    gantry,
    admin,
    member,
    person: (name, roles) => newPerson(gantry, admin, name, roles),
    remove: async () => {
      await gantry.remove()
      await postgres?.stop()
    },
  }
}

async function newPerson(
  gantry: Gantry,
  admin: Client,
  name: string,
  { silo, fleet }: { silo?: string; fleet?: string },
): Promise<Client> {
  const made = await admin.send('POST', '/v1/system/identity-providers/local/users?silo=demo', {
    external_id: name,
    password: { mode: 'password', value: password },
  })
  const { id } = await okay<{ id: string }>(made)
  for (const [path, role_name] of [
    ['/v1/policy', silo],
    ['/v1/system/policy', fleet],
  ] as const) {
    if (role_name === undefined) continue
    const policy = await admin.read<{ role_assignments: unknown[] }>(path)
    const assignment = { identity_id: id, identity_type: 'silo_user', role_name }
    await okay(await admin.send('PUT', path, { role_assignments: [...policy.role_assignments, assignment] }))
  }
  const client = new Client(gantry)
  await client.signIn(name)
  return client
}

export async function okay<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** Status and message of a refusal. */
export async function said(response: Response): Promise<[status: number, message: string]> {
  const body = (await response.json().catch(() => ({}))) as { message?: string }
  return [response.status, body.message ?? '']
}

/** A request with headers of its own, Host included, which `fetch` does not let anybody write. */
export function rawly(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; text: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

export interface Observed {
  /** Requests of somebody else that were answered meanwhile, and the most of them that waited at one time. */
  answered: number
  mostWaiting: number
  /** Those that were not answered well, and why. */
  faults: readonly string[]
  /** Of the server's process, in MiB: the most that was seen, and what it had before. */
  peak: number
  before: number
}

/** Runs an attack while somebody else asks for a page at an even pace, and the memory is looked at. */
export async function during(
  { gantry, admin }: Pick<Stage, 'gantry' | 'admin'>,
  attack: () => Promise<unknown>,
): Promise<Observed> {
  const before = gantry.residentMiB()
  let peak = before
  const pings = new Pings(Number(new URL(gantry.url).port), {
    path: '/v1/projects?limit=10',
    headers: admin.headers,
  })
  const looking = setInterval(() => (peak = Math.max(peak, gantry.residentMiB())), 50)
  try {
    await attack()
    const answered = await pings.settle()
    return { answered, mostWaiting: pings.mostWaiting, faults: pings.faults, peak, before }
  } finally {
    pings.stop()
    clearInterval(looking)
  }
}

/** `count` times the same, so many of them at a time. */
export async function flood<Answer>(
  count: number,
  atOnce: number,
  send: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) answers.push(await send(next++))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return answers
}

/** How often each came. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
