import { versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, settledJobs, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { furnishProject, furnishSilo, made, nameOf } from '../testing/hidden-things.ts'
import { runMachine, writeSamples } from '../testing/sampled-machine.ts'
import { silentSaml } from '../testing/saml.ts'
import { testServices } from '../testing/services.ts'
import { type ConsolePage, everyPage, pagesOf2025, pagesOf2026 } from '../testing/versions/console-pages.ts'
import { type Served, servedAt } from '../testing/versions/served.ts'

let bed: TestBed
let operator: Caller
let names: Record<string, string>
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: silentSaml } })
  operator = await bed.signIn('admin')
  const ids = await furnishProject(operator, nameOf('project'))
  await settledJobs(bed)
  const { id: own } = await bed.db
    .selectFrom('silo')
    .select('id')
    .where('name', '=', 'demo')
    .executeTakeFirstOrThrow()
  const ofSilo = await furnishSilo(bed, own)
  const end = new Date()
  const start = new Date(end.getTime() - 3_600_000)
  const attach = `/v1/instances/${nameOf('instance')}/disks/attach?project=${nameOf('project')}`
  await made(operator, attach, { disk: nameOf('disk') })
  await runMachine(bed.db, ids['instance'] ?? '', crypto.randomUUID(), start.getTime())
  await writeSamples(testServices({ db: bed.db }), { from: start.getTime(), until: end.getTime() })
  const key = { name: nameOf('ssh_key'), description: '', public_key: 'ssh-ed25519 AAAA' }
  await made(operator, '/v1/me/ssh-keys', key)
  const inQueries = (time: Date) => time.toISOString().slice(0, 19) + '.000'
  names = {
    ...Object.fromEntries(Object.keys(ids).map((key) => [key, nameOf(key)])),
    ...Object.fromEntries(Object.entries(ids).map(([key, id]) => [`${key}-id`, id])),
    ...ofSilo,
    'silo-id': ofSilo['silo'] ?? '',
    silo: 'vault',
    provider: 'corporate',
    ssh_key: nameOf('ssh_key'),
    pool: 'external',
    start: start.toISOString(),
    end: end.toISOString(),
    from: inQueries(start),
    until: inQueries(end),
  }
})
afterAll(() => bed.stop())

const filled = (text: string): string =>
  text.replaceAll(/\{([a-z_-]+)\}/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`Nothing is called ${name}.`)
    return value
  })

describe.each<[when: string, headers: Record<string, string>, pages: readonly ConsolePage[]]>([
  ['August 2025', {}, pagesOf2025],
  ['August 2026', { [versionHeader]: '2026081700.0.0' }, pagesOf2026],
])('the console of %s', (_, version, pages) => {
  const headers = { ...version, origin: 'http://localhost' }
  let served: Served
  beforeAll(async () => {
    served = await servedAt(bed, headers)
  })

  test.each(pages)('has what $page asks', async ({ calls }) => {
    expect.hasAssertions()
    for (const call of [...everyPage, ...calls]) await ask(call)
  })

  /** The document of the version has the request, and the answer has the shape that it says. */
  async function ask(call: string): Promise<void> {
    const [path = '', ...query] = filled(call).split(' ')
    const method = query.length > 0 ? 'POST' : 'GET'
    const described = served.find(method, path)
    if (!described) throw new Error(`${method} ${path} is not in the document`)
    const known = new Set((described.parameters ?? []).map(({ name }) => name))
    const asked = [...new URL(path, 'http://localhost').searchParams.keys()]
    expect(
      asked.filter((name) => !known.has(name)),
      path,
    ).toEqual([])
    const body = query.length > 0 ? { query: query.join(' ') } : undefined
    const answer = await operator.call(method, path, body, headers)
    if (answer.status !== 200) throw new Error(`${path}: ${said(answer)}`)
    served.check(
      `the answer to ${path}`,
      described.responses['200']?.content?.['application/json']?.schema,
      answer.body,
    )
  }
})
