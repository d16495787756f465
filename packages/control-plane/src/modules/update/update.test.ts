import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { testEnvironment } from '../../testing/environment.ts'
import { sendSlowly } from '../../testing/send-slowly.ts'
import { testServices } from '../../testing/services.ts'
import { inYears, publisher, publishersRoot, signedRepository } from '../../testing/updates.ts'
import { updateUploadUpkeep } from './upload-background.ts'
import { makeRepository, rootRoleOf, sampleArtifacts, signingKey } from './make-repository.ts'

const base = '/v1/system/update'
const ext = '/ext/v1/system/update'

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  const { settings } = testEnvironment()
  bed = await testControlPlane({
    environment: { settings: { ...settings, updates: { repository_mebibytes: 1 } } },
  })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

/** Bytes as the body of a request, with its length or in chunks. */
async function send(
  who: Caller,
  method: string,
  path: string,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await bed.plane.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { cookie: who.cookie, 'content-type': 'application/octet-stream', ...headers },
      body: new Uint8Array(bytes),
    }),
    { address: '127.0.0.1' },
  )
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
}
const put = (bytes: Uint8Array, name = 'gantry.zip', who = operator) =>
  send(who, 'PUT', `${base}/repository?file_name=${name}`, bytes)
const digest = (bytes: Uint8Array) => ({
  'content-digest': `sha-256=:${btoa(String.fromCharCode(...sha256(bytes)))}:`,
})
const sendPiece = (id: string, bytes: Uint8Array, offset: number) =>
  send(operator, 'PUT', `${ext}/uploads/${id}/content?offset=${offset}`, bytes, digest(bytes))
const trust = async (root: object = publishersRoot): Promise<string> => {
  const made = await operator.post(`${base}/trust-roots`, root)
  expect(made.status).toBe(201)
  return made.body.id
}
const contents = async () =>
  (await bed.db.selectFrom('update_upload').selectAll().where('time_deleted', 'is', null).execute()).length

describe('trust roots', () => {
  test('are added, listed, viewed and deleted', async () => {
    const id = await trust()
    const viewed = await operator.get(`${base}/trust-roots/${id}`)
    expect(viewed.body).toMatchObject({ id, root_role: publishersRoot })
    const { items } = (await operator.get(`${base}/trust-roots`)).body
    expect(items.map((item: { id: string }) => item.id)).toContain(id)
    expect((await operator.call('DELETE', `${base}/trust-roots/${id}`)).status).toBe(204)
    const gone = await operator.get(`${base}/trust-roots/${id}`)
    expect([gone.status, gone.body.message]).toEqual([404, `not found: tuf-trust-root with id "${id}"`])
  })

  test.each([
    ['nothing', { signed: {}, signatures: [] }, /^Unable to verify root role: signed\._type: /],
    [
      'another role',
      { ...publishersRoot, signed: { ...publishersRoot.signed, _type: 'targets' } },
      /signed\._type/,
    ],
    [
      'no valid signature',
      { ...publishersRoot, signatures: [] },
      /0 of 1 required signatures of role root are valid$/,
    ],
  ])('%s is refused', async (_, document, message) => {
    const answer = await operator.post(`${base}/trust-roots`, document)
    expect([answer.status, answer.body.error_code]).toEqual([400, undefined])
    expect(answer.body.message).toMatch(message)
  })

  test('unknown fields are signed, and kept', async () => {
    const key = signingKey(new Uint8Array(32).fill(4))
    const root = rootRoleOf(key, inYears(1))
    const id = await trust({ ...root, note: 'kept' })
    expect((await operator.get(`${base}/trust-roots/${id}`)).body.root_role.note).toBe('kept')
    await operator.call('DELETE', `${base}/trust-roots/${id}`)
  })
})

describe('repositories', () => {
  test('an upload as one request needs a trust root', async () => {
    const answer = await put(await signedRepository('1.0.0'))
    expect([answer.status, answer.body.error_code]).toEqual([400, undefined])
    expect(answer.body.message).toBe('invalid repository: there is no trust root to verify it by')
    expect(await contents()).toBe(0)
  })

  test('an intact one is recorded once', async () => {
    await trust()
    const bytes = await signedRepository('1.0.0')
    const first = await put(bytes)
    expect([first.status, first.body.status]).toEqual([200, 'inserted'])
    expect(first.body.recorded.repo).toMatchObject({
      system_version: '1.0.0',
      file_name: 'gantry.zip',
      hash: bytesToHex(sha256(bytes)),
    })
    const again = await put(bytes, 'renamed.zip')
    expect([again.status, again.body.status]).toEqual([200, 'already_exists'])
    expect(again.body.recorded).toEqual(first.body.recorded)
    const newer = await send(operator, 'PUT', `${base}/repositories?file_name=a.zip`, bytes)
    const release = await operator.get(`${base}/repositories/1.0.0`)
    expect(newer.body).toEqual({ repo: release.body, status: 'already_exists' })
    expect(release.body).toMatchObject({ file_name: 'gantry.zip', hash: first.body.recorded.repo.hash })
    const viewed = await operator.get(`${base}/repository/1.0.0`)
    expect(viewed.body.description).toEqual(first.body.recorded)
    expect(await contents()).toBe(0)
  })

  test('what is damaged, larger than allowed, or of another content type leaves nothing behind', async () => {
    const bytes = await signedRepository('1.0.1')
    const damaged = await put(bytes.subarray(0, 900))
    expect([damaged.status, damaged.body.error_code]).toEqual([400, undefined])
    const large = await put(new Uint8Array(1024 * 1024 + 1))
    expect(large.body.message).toBe('request body exceeded maximum size of 1048576 bytes')
    const path = `${base}/repository?file_name=a.zip`
    for (const length of ['x', '-1']) {
      const unsized = await send(operator, 'PUT', path, new Uint8Array(1), { 'content-length': length })
      expect([unsized.status, unsized.body.message]).toEqual([
        400,
        'the content length must be a number of bytes',
      ])
    }
    const json = await operator.call('PUT', path, {})
    expect(json.body.message).toBe('expected content type "application/octet-stream", got "application/json"')
    expect((await operator.get(`${base}/repository/1.0.1`)).status).toBe(404)
    expect(await contents()).toBe(0)
  })

  test('verification may take as long as it needs, and leaves no bytes even if its process dies', async () => {
    const bytes = await signedRepository('1.0.4')
    let ahead = 0
    const services = testServices({ db: bed.db, clock: () => new Date(Date.now() + ahead) })
    const pass = async (ms: number) => {
      ahead += ms
      bed.pass(ms)
      await updateUploadUpkeep.run(services)
    }
    const current = () =>
      bed.db
        .selectFrom('update_upload')
        .select(['content_id', 'state'])
        .where('time_deleted', 'is', null)
        .executeTakeFirstOrThrow()
    const { read } = bed.blocks
    let [content, left] = ['', 0]
    const reads = vi.spyOn(bed.blocks, 'read').mockImplementationOnce(async (...what) => {
      content = (await current()).content_id
      await pass(15 * 60_000)
      left = await contents()
      return read(...what)
    })
    const answer = await put(bytes)
    expect([answer.status, answer.body.status, left]).toEqual([200, 'inserted', 1])
    await operator.call('DELETE', `${ext}/repositories/1.0.4`)
    const isFreed = () =>
      eventually(
        () => bed.blocks.size(content),
        (size) => size === undefined,
      )
    await isFreed()

    // A process that dies during the verification does not end its request.
    let end = () => {}
    reads.mockImplementationOnce(
      () => new Promise((_, reject) => void (end = () => reject(new Error('the process has died')))),
    )
    const request = put(bytes)
    await eventually(contents, (count) => count === 1)
    const dead = await eventually(current, ({ state }) => state === 'checking')
    content = dead.content_id
    await pass(15 * 60_000)
    expect(await contents()).toBe(1)
    await pass(25 * 3_600_000)
    expect(await contents()).toBe(0)
    await isFreed()
    end()
    await request
    reads.mockRestore()
    operator = await bed.signIn('admin')
  })

  test('a body without a length is bounded too', async () => {
    const stream = (pieces: Uint8Array[]) =>
      bed.plane.fetch(
        new Request(`http://localhost${base}/repository?file_name=chunked.zip`, {
          method: 'PUT',
          headers: { cookie: operator.cookie, 'content-type': 'application/octet-stream' },
          body: new ReadableStream({
            pull(controller) {
              const piece = pieces.shift()
              if (piece) controller.enqueue(piece)
              else controller.close()
            },
          }),
          duplex: 'half',
        } as RequestInit),
        { address: '127.0.0.1' },
      )
    const bytes = await signedRepository('1.0.2')
    const accepted = await stream([bytes.subarray(0, 1000), bytes.subarray(1000)])
    expect([accepted.status, (await accepted.json()).status]).toEqual([200, 'inserted'])
    const endless = await stream(Array.from({ length: 40 }, () => new Uint8Array(64 * 1024)))
    expect([endless.status, (await endless.json()).message]).toEqual([
      400,
      'request body exceeded maximum size of 1048576 bytes',
    ])
  })

  test('a body that ends after its sender was demoted counts for nothing', async () => {
    const person = await bed.addUser('demoted', { roles: [{ at: 'fleet', role: 'admin' }] })
    const demote = async () => {
      const { role_assignments } = (await operator.get('/v1/system/policy')).body
      const others = role_assignments.filter(
        ({ identity_id }: { identity_id: string }) => identity_id !== person.id,
      )
      const answer = await operator.call('PUT', '/v1/system/policy', { role_assignments: others })
      expect(answer.status).toBe(200)
      bed.pass(1000)
    }
    const body = await signedRepository('1.0.3')
    const path = `${base}/repository?file_name=slow.zip`
    expect(await sendSlowly(bed, person, { method: 'PUT', path, body }, demote)).toBe(403)
    expect((await operator.get(`${base}/repository/1.0.3`)).status).toBe(404)
  })

  test('one version has one content, and an artifact too', async () => {
    const other = { version: '1.0.0', key: publisher, expires: inYears(2) }
    const answer = await put(await makeRepository(other))
    expect([answer.status, answer.body.error_code]).toEqual([409, 'Conflict'])
    expect(answer.body.message).toMatch(
      /for 1\.0\.0 with hash [0-9a-f]{64}; the uploaded one has hash [0-9a-f]{64}$/,
    )
    const [rot, ...rest] = sampleArtifacts('1.0.0')
    const newer = sampleArtifacts('1.2.0').slice(1)
    const renamed = await put(
      await makeRepository({
        ...other,
        version: '1.2.0',
        artifacts: [{ ...rot!, bytes: new Uint8Array(3) }, ...newer],
      }),
    )
    expect(renamed.body.message).toMatch(/: sled-rot 1\.0\.0 \(sled_rot\)$/)
    const copied = await put(
      await makeRepository({
        ...other,
        version: '1.2.0',
        artifacts: [...newer, { ...rot!, version: '1.2.0' }],
      }),
    )
    expect(copied.body.message).toMatch(/: sled-rot 1\.2\.0 \(sled_rot\)$/)
    const shared = await put(await makeRepository({ ...other, version: '1.2.0', artifacts: [rot!, ...rest] }))
    expect([shared.status, shared.body.status]).toEqual([200, 'inserted'])
  })

  test('the newest is listed first, and unused ones can be deleted', async () => {
    const listed = async () =>
      (await operator.get(`${ext}/repositories`)).body.items.map(
        ({ system_version }: { system_version: string }) => system_version,
      )
    expect(await listed()).toEqual(['1.2.0', '1.0.2', '1.0.0'])
    expect((await operator.call('DELETE', `${ext}/repositories/1.2.0`)).status).toBe(204)
    expect(await listed()).toEqual(['1.0.2', '1.0.0'])
    const unknown = await operator.call('DELETE', `${ext}/repositories/9.9.9`)
    expect(unknown.body.message).toBe('not found: tuf-repo with name "9.9.9"')
  })
})

describe('an upload in pieces', () => {
  const begin = async (size: number): Promise<string> =>
    (await operator.post(`${ext}/uploads`, { file_name: 'gantry-1.1.0.zip', size })).body.id
  const ended = (id: string) =>
    eventually(
      () => operator.get(`${ext}/uploads/${id}`),
      ({ body }) => body.state === 'done' || body.state === 'failed',
    )

  test('becomes a repository', async () => {
    const bytes = await signedRepository('1.1.0')
    const id = await begin(bytes.length)
    expect((await sendPiece(id, bytes.subarray(0, 700), 0)).status).toBe(204)
    // Retried, because the response was lost.
    expect((await sendPiece(id, bytes.subarray(0, 700), 0)).status).toBe(204)
    const gap = await sendPiece(id, bytes.subarray(900), 900)
    expect([gap.status, gap.body.details]).toEqual([409, { bytes_received: 700 }])
    const early = await operator.post(`${ext}/uploads/${id}/complete`)
    expect(early.body.message).toBe(`${bytes.length - 700} bytes have not been received`)
    expect((await operator.get(`${ext}/uploads/${id}`)).body.bytes_received).toBe(700)
    expect((await sendPiece(id, bytes.subarray(700), 700)).status).toBe(204)
    const completed = await operator.post(`${ext}/uploads/${id}/complete`)
    expect([completed.status, ['checking', 'done'].includes(completed.body.state)]).toEqual([202, true])
    expect((await ended(id)).body).toMatchObject({ state: 'done', system_version: '1.1.0', failure: null })
    expect((await operator.get(`${base}/repository/1.1.0`)).body.description.repo.file_name).toBe(
      'gantry-1.1.0.zip',
    )
    expect((await operator.call('DELETE', `${ext}/uploads/${id}`)).status).toBe(204)
  })

  test('that is no repository says why', async () => {
    const bytes = new TextEncoder().encode('not an archive')
    const id = await begin(bytes.length)
    await sendPiece(id, bytes, 0)
    await operator.post(`${ext}/uploads/${id}/complete`)
    const { body } = await ended(id)
    expect(body.state).toBe('failed')
    expect(body.failure.message).toMatch(/^invalid repository: not a zip archive/)
    expect((await sendPiece(id, bytes, 0)).body.message).toBe('the upload takes no more bytes')
    await operator.call('DELETE', `${ext}/uploads/${id}`)
  })

  test('refuses damaged pieces, and those beyond its end', async () => {
    const id = await begin(10)
    const bytes = new Uint8Array(10)
    const damaged = await send(
      operator,
      'PUT',
      `${ext}/uploads/${id}/content?offset=0`,
      bytes,
      digest(new Uint8Array(1)),
    )
    expect(damaged.body.message).toBe('the bytes do not match their content digest')
    expect((await sendPiece(id, new Uint8Array(11), 0)).body.message).toBe(
      'the piece ends beyond the size 10',
    )
    expect((await sendPiece(id, new Uint8Array(), 0)).body.message).toBe('the piece is empty')
    expect((await operator.call('DELETE', `${ext}/uploads/${id}`)).status).toBe(204)
  })

  test('of any size outside the bounds is refused', async () => {
    for (const size of [0, 2 ** 20 + 1])
      expect((await operator.post(`${ext}/uploads`, { file_name: 'a', size })).body.error_code).toBe(
        'InvalidValue',
      )
  })

  test('writers of the same place do not count twice', async () => {
    const id = await begin(1000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendPiece(id, new Uint8Array(100), 0)))
    expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThan(0)
    expect((await operator.get(`${ext}/uploads/${id}`)).body.bytes_received).toBe(100)
    await operator.call('DELETE', `${ext}/uploads/${id}`)
  })

  test('there are only so many, and an idle one disappears with its bytes', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, () => operator.post(`${ext}/uploads`, { file_name: 'a', size: 10 })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(8)
    expect(made.filter(({ status }) => status === 507)).toHaveLength(4)
    const rows = await bed.db
      .selectFrom('update_upload')
      .select('content_id')
      .where('state', '=', 'open')
      .execute()
    bed.pass(25 * 3_600_000)
    operator = await bed.signIn('admin')
    // A new upload deletes abandoned ones, even if it is refused itself.
    const next = await operator.post(`${ext}/uploads`, { file_name: 'next', size: 10 })
    if (next.status === 201) await operator.call('DELETE', `${ext}/uploads/${next.body.id}`)
    await eventually(
      () => operator.get(`${ext}/uploads`),
      ({ body }) => body.items.length === 0,
    )
    await eventually(
      async () =>
        (await Promise.all(rows.map(({ content_id }) => bed.blocks.size(content_id)))).every(
          (size) => size === undefined,
        ),
      (gone) => gone,
    )
  })
})

interface Seen {
  kind: string
  serial: string | null
  state: string
  version: string
  reason: string | null
  attempts: number
}

describe('the target release', () => {
  const status = async () => (await operator.get(`${ext}/status`)).body
  const setTarget = (system_version: string) =>
    operator.call('PUT', `${base}/target-release`, { system_version })
  /** Advances the clock until the update has ended, or until `until` holds. */
  const advance = async (until: (now: { components: Seen[]; suspended: boolean }) => boolean) => {
    for (let turn = 0; turn < 600; turn++) {
      const now = await status()
      if (until(now)) return now
      // The jobs of drains hold leases, which must not expire while they run.
      const isDraining = now.components.some(({ state }: Seen) => state === 'draining')
      bed.pass(isDraining ? 500 : 3000)
      if (isDraining) await new Promise((resolve) => setTimeout(resolve, 50))
      // Wakes the update without a change, because its timer follows the real clock.
      await operator.post(`${ext}/${now.suspended ? 'suspend' : 'resume'}`)
    }
    throw new Error(`still ${JSON.stringify(await status())}`)
  }
  const isDone = ({ components }: { components: Seen[] }) =>
    components.every(({ state }) => state === 'current')
  let sled: string
  beforeEach(async () => {
    sled = (await bed.db.selectFrom('sled').select('id').orderBy('cubby').executeTakeFirstOrThrow()).id
  })

  test('is unspecified at first', async () => {
    expect((await operator.get(`${base}/target-release`)).body).toMatchObject({
      generation: 1,
      release_source: { type: 'unspecified' },
    })
    expect(await status()).toMatchObject({
      target_release: null,
      components_by_release_version: { 'install dataset': 8 * 3 + 2 * 2 + 1 },
      suspended: false,
      contact_support: false,
    })
  })

  test('must be known', async () => {
    const unknown = await setTarget('7.0.0')
    expect([unknown.status, unknown.body.message]).toEqual([404, 'not found: tuf-repo with name "7.0.0"'])
    expect((await setTarget('latest')).status).toBe(400)
  })

  test('the rack updates to it, one component after the other', async () => {
    const set = await setTarget('1.0.0')
    expect([set.status, set.body]).toMatchObject([
      201,
      { generation: 2, release_source: { version: '1.0.0' } },
    ])
    let largest = 0
    const done = await advance((now) => {
      largest = Math.max(
        largest,
        now.components.filter(({ state }) => state === 'updating' || state === 'draining').length,
      )
      return isDone(now)
    })
    expect(largest).toBe(1)
    expect(done).toMatchObject({ components_by_release_version: { '1.0.0': 29 } })
    const sleds = await bed.db.selectFrom('sled').select('is_provisionable').execute()
    expect(sleds.every(({ is_provisionable }) => is_provisionable)).toBe(true)
  })

  test('of dated versions has another shape, and is set without an answer', async () => {
    const dated = { 'api-version': '2026052000.0.0' }
    const set = await operator.call('PUT', `${base}/target-release`, { system_version: '1.0.0' }, dated)
    expect([set.status, set.body]).toEqual([204, undefined])
    const { items } = (
      await operator.get(
        '/v1/system/audit-log?limit=1&sort_by=time_and_id_descending&start_time=2020-01-01T00:00:00Z',
      )
    ).body
    expect(items).toMatchObject([
      { result: { http_status_code: 204 }, operation_id: 'target_release_update' },
    ])
    const now = await operator.get(`${base}/status`)
    expect(now.body).toEqual({
      target_release: { version: '1.0.0', time_requested: expect.any(String) },
      components_by_release_version: { '1.0.0': 29 },
      time_last_step_planned: expect.any(String),
      suspended: false,
      contact_support: false,
    })
    const older = { 'api-version': '2026050800.0.0' }
    const before = await operator.call('GET', `${base}/status`, undefined, older)
    expect(before.body).not.toHaveProperty('contact_support')
    for (const [path, method] of [
      ['target-release', 'GET'],
      ['repository/1.0.0', 'GET'],
      ['repository?file_name=a', 'PUT'],
    ] as const) {
      const gone = await operator.call(method, `${base}/${path}`, undefined, dated)
      expect([405, 404], path).toContain(gone.status)
    }
  })

  test('that all components run replaces a suspended one, even if it is older', async () => {
    const finish = (system_version: string) =>
      operator.call('PUT', `${base}/recovery-finish`, { system_version })
    const idle = await finish('1.0.0')
    expect([idle.status, idle.body.message]).toEqual([400, 'no recovery of an update is pending'])
    expect((await operator.post(`${ext}/suspend`)).status).toBe(204)
    expect((await setTarget('1.1.0')).status).toBe(201)
    const other = await finish('1.1.0')
    expect([other.status, other.body.message]).toEqual([400, 'the components run 1.0.0, not 1.1.0'])
    expect((await finish('7.0.0')).status).toBe(404)
    expect((await finish('1.0.0')).status).toBe(204)
    expect(await status()).toMatchObject({ target_release: { version: '1.0.0' }, suspended: false })
    expect((await finish('1.0.0')).status).toBe(400)
  })

  test('cannot be older, and the same is accepted again', async () => {
    expect((await setTarget('1.0.0')).body.generation).toBe(6)
    expect((await setTarget('1.1.0')).status).toBe(201)
    const older = await setTarget('1.0.0')
    expect([older.status, older.body.error_code]).toEqual([400, undefined])
    expect(older.body.message).toMatch(
      /\(1\.0\.0\) is older than the current one \(1\.1\.0\), which is not supported\.$/,
    )
  })

  test('a suspended update finishes what it began, and begins nothing', async () => {
    expect((await operator.post(`${ext}/suspend`)).status).toBe(204)
    const paused = await advance(
      ({ components, suspended }) =>
        suspended && components.every(({ state }) => state === 'current' || state === 'pending'),
    )
    expect(isDone(paused)).toBe(false)
    const target = await operator.call('DELETE', `${ext}/repositories/1.1.0`)
    expect(target.body.message).toBe('the repository is the target release')
    const running = await operator.call('DELETE', `${ext}/repositories/1.0.0`)
    expect(running.body.message).toBe('components of the rack run the repository')
    expect((await operator.post(`${ext}/resume`)).status).toBe(204)
  })

  test('a component that fails stops the update, is an issue, and can be retried', async () => {
    const fault = await operator.post('/ext/v1/faults', { kind: 'update_failure', sled_id: sled })
    expect(fault.status).toBe(201)
    const hasFailed = ({ components }: { components: Seen[] }) =>
      components.some(({ state }) => state === 'failed')
    const isFirst = (await status()).components.filter(({ state }: Seen) => state === 'current').length === 0
    // The first sled may have been updated before the fault began.
    if (!isFirst) {
      await operator.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
      const last = await bed.db
        .selectFrom('sled')
        .select('id')
        .orderBy('cubby', 'desc')
        .executeTakeFirstOrThrow()
      fault.body.id = (
        await operator.post('/ext/v1/faults', { kind: 'update_failure', sled_id: last.id })
      ).body.id
    }
    const stuck = await advance(hasFailed)
    expect(stuck.components.find(({ state }: Seen) => state === 'failed')).toMatchObject({
      reason: 'The new software did not start. It runs the previous release again.',
      attempts: 1,
      version: '1.0.0',
    })
    const issues = await operator.get('/ext/v1/system/issues?state=open&kind=stuck_update')
    expect(issues.body.items).toHaveLength(1)
    for (const attempts of [2, 3]) {
      expect((await operator.post(`${ext}/retry`)).status).toBe(204)
      const again = await advance(
        (now) => hasFailed(now) && now.components.some((each) => each.attempts === attempts),
      )
      expect(again.contact_support).toBe(attempts === 3)
    }
    await operator.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
    expect((await operator.post(`${ext}/retry`)).status).toBe(204)
    expect((await operator.post(`${ext}/retry`)).body.message).toBe('no component has failed')
    const done = await advance(isDone)
    expect(done.components_by_release_version).toEqual({ '1.1.0': 29 })
    expect((await operator.get('/ext/v1/system/issues?state=open&kind=stuck_update')).body.items).toEqual([])
  })

  test('instances move away before the host of their sled restarts, and the sled opens again', async () => {
    const member = await bed.signIn('member')
    const GiB = 2 ** 30
    const made = await member.post('/v1/instances?project=playground', {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: GiB,
      start: true,
    })
    expect(made.status).toBe(201)
    const running = await eventually(
      async () => (bed.pass(1000), member.get('/v1/instances/web?project=playground')),
      ({ body }) => body.run_state === 'running',
    )
    expect(running.body.run_state).toBe('running')
    await put(await signedRepository('1.3.0'))
    await setTarget('1.3.0')
    const states = new Set<string>()
    await advance((now) => {
      for (const { state, reason } of now.components) if (state === 'draining') states.add(reason ?? '')
      return isDone(now)
    })
    expect((await member.get('/v1/instances/web?project=playground')).body.run_state).toBe('running')
    const drains = await bed.db.selectFrom('sled_drain').select('mode').distinct().execute()
    expect(drains).toEqual([{ mode: 'move' }])
  })

  test('a cancelled drain stops the update of the sled', async () => {
    await put(await signedRepository('1.4.0'))
    await setTarget('1.4.0')
    // A drain that never ends: it is cancelled as soon as it appears.
    await advance(({ components }) => components.some(({ state }) => state === 'draining'))
    await bed.db
      .updateTable('sled_drain')
      .set({ state: 'cancelled' })
      .where('state', '=', 'running')
      .execute()
    const next = await advance(
      ({ components }) => components.some(({ state }) => state === 'failed') || isDone({ components }),
    )
    const failed = next.components.find(({ state }: Seen) => state === 'failed')
    // An empty sled drains at once, so there may be nothing to cancel.
    const reasons = [undefined, 'The drain of its sled was cancelled before the sled was empty.']
    expect(reasons).toContain(failed?.reason)
    if (failed) await operator.post(`${ext}/retry`)
    await advance(isDone)
    const sleds = await bed.db.selectFrom('sled').select('is_provisionable').execute()
    expect(sleds.every(({ is_provisionable }) => is_provisionable)).toBe(true)
  })

  test('a sled that does not answer waits for its return, and holds up nothing else', async () => {
    const lost = await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled })
    await put(await signedRepository('1.5.0'))
    await setTarget('1.5.0')
    const waiting = await advance(
      ({ components }) => components.filter(({ state }) => state !== 'current').length === 3,
    )
    expect(new Set(waiting.components.flatMap(({ reason }: Seen) => reason ?? []))).toEqual(
      new Set(['The sled does not answer. It is updated once it does.']),
    )
    await operator.call('DELETE', `/ext/v1/faults/${lost.body.id}`)
    await advance(isDone)
  })

  test('of many requests at once, each counts once', async () => {
    const before = (await operator.get(`${base}/target-release`)).body.generation
    const answers = await Promise.all(Array.from({ length: 6 }, () => setTarget('1.5.0')))
    expect(answers.map(({ status: code }) => code)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map(({ body }) => body.generation)).size).toBe(6)
    expect((await operator.get(`${base}/target-release`)).body.generation).toBe(before + 6)
  })
})
