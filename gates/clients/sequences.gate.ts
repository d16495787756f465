import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { device } from '../../e2e/support/device-steps.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { type Call, type Program, programs } from './sequences.ts'

let gantry: Gantry
let token: string
beforeAll(async () => {
  gantry = await new Gantry().start()
  const caller = new Client(gantry)
  await caller.signIn()
  const flow = await device(gantry)
  await caller.send('POST', '/device/confirm', { user_code: flow.code })
  token = (await flow.token()).access_token ?? ''
})
afterAll(() => gantry.remove())

interface Answer {
  id?: string
  run_state?: string
  state?: string | { state: string }
  items?: { id: string }[]
}

const filled = (text: string, kept: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{([a-z-]+)\}/g, (whole, name: string) => kept.get(name) ?? whole)

async function send({ header, version }: Program, { method, path, body }: Call): Promise<[number, Answer]> {
  const response = await fetch(gantry.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      [header]: version,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return [response.status, text ? JSON.parse(text) : {}]
}

const stateOf = ({ run_state, state }: Answer): string | undefined =>
  run_state ?? (typeof state === 'object' ? state.state : state)

/** One request, which answers as the program expects. */
async function once(program: Program, call: Call): Promise<Answer> {
  const [status, answer] = await send(program, call)
  expect([status, JSON.stringify(answer)], `${call.method} ${call.path}`).toEqual([
    call.status,
    expect.anything(),
  ])
  return answer
}

const reached = (program: Program, call: Call, state: string): Promise<Answer> =>
  vi.waitFor(
    async () => {
      const seen = await once(program, call)
      expect(stateOf(seen)).toBe(state)
      return seen
    },
    { timeout: 60_000, interval: 300 },
  )

test.each(programs)('$name lives a whole life', async (program) => {
  expect.hasAssertions()
  const kept = new Map<string, string>()
  for (const { path, body, ...rest } of program.calls) {
    const call: Call = {
      ...rest,
      path: filled(path, kept),
      ...(body !== undefined && { body: JSON.parse(filled(JSON.stringify(body), kept)) }),
    }
    const { until, keep } = call
    const answer = until ? await reached(program, call, until) : await once(program, call)
    const id = answer.id ?? answer.items?.[0]?.id
    if (keep && id) kept.set(keep, id)
  }
})
