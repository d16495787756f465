import fs from 'node:fs'
import path from 'node:path'
import {
  type Caller,
  said,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { runMachine, writeSamples } from '@gantry/control-plane/testing/sampled-machine'
import { testServices } from '@gantry/control-plane/testing/services'
import { fieldsOf, filteredKinds, listKinds } from '@gantry/api/filter/list-kinds.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '../../../docs')
const contents = JSON.parse(fs.readFileSync(path.join(folder, 'contents.json'), 'utf8')) as {
  pages: string[]
}[]

/** Fenced blocks with their language, in the order of the pages. */
const blocks = contents
  .flatMap(({ pages }) => pages)
  .flatMap((page) =>
    [...fs.readFileSync(path.join(folder, `${page}.md`), 'utf8').matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(
      ([, language = '', text = '']) => ({ page, language, text: text.trim() }),
    ),
  )
const examples = (language: string) => blocks.filter((block) => block.language.split(' ', 1)[0] === language)

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  await addSamples()
})
afterAll(() => bed.stop())

const hour = 3_600_000
const GiB = 1024 ** 3

/** An hour of samples of a machine with a disk and an interface, for the queries. */
async function addSamples(): Promise<void> {
  const until = Date.now()
  await admin.post('/v1/projects', { name: 'sampled', description: '' })
  const made = await admin.post('/v1/instances?project=sampled', {
    name: 'sampled',
    description: '',
    hostname: 'sampled',
    ncpus: 1,
    memory: GiB,
    start: false,
    boot_disk: {
      type: 'create',
      name: 'boot',
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    },
  })
  await runMachine(bed.db, made.body.id, crypto.randomUUID(), until - hour)
  const services = testServices({ db: bed.db, clock: () => new Date(until) })
  await writeSamples(services, { from: until - hour, until })
}

/** A request: its first line, headers, a body, and the status after an arrow if it is no success. */
function requestIn(text: string) {
  const [, method = '', at = '', rest = ''] = /^([A-Z]+) (\S+)\n?([\s\S]*)$/.exec(text) ?? []
  const [, head = '', body = '', status] = /^([^{→]*)(\{[\s\S]*\})?\s*(?:→ (\d{3}))?$/.exec(rest) ?? []
  const headers = Object.fromEntries(
    [...head.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  return { method, at, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown), status }
}

describe('requests', () => {
  // In order, because later ones use what earlier ones created.
  test.each(examples('http').map(({ page, text }) => [page, text]))('%s: %s', async (_page, text) => {
    const { method, at, headers, body, status } = requestIn(text)
    // A snapshot is refused with 503 until its disk has been created.
    const send = async () => said(await admin.call(method, at, body, headers))
    await expect
      .poll(send, { timeout: 20_000, interval: 100 })
      .toMatch(status ? new RegExp(`^${status}`) : /^20\d$/)
  })
})

describe('queries', () => {
  test.each(examples('oxql').map(({ text }) => text))('%s', async (query) => {
    expect(said(await admin.post('/v1/system/timeseries/query', { query }))).toBe('200')
  })
})

const listed = Object.fromEntries(filteredKinds.map((kind) => [kind, listKinds[kind].path]))

describe('filters', () => {
  const written = examples('filter').flatMap(({ language, text }) =>
    text.split('\n').map((line) => [language.split(' ')[1], line.replace(/ +#.*/, '')] as const),
  )
  // The page of fields has these.
  const ofFields = filteredKinds.flatMap((kind) =>
    Object.values(fieldsOf(kind)).map(({ example }) => [kind, example] as const),
  )
  test.each([...written, ...ofFields])('%s: %s', async (kind = '', filter) => {
    const answer = await admin.get(`/ext/v1/${listed[kind]}?filter=${encodeURIComponent(filter)}`)
    expect(said(answer)).toBe('200')
  })
})
