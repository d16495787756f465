import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  // Makes the database raise the SQLSTATE that a key's text names.
  await sql`CREATE FUNCTION fail(code text) RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the words of the database' USING ERRCODE = code; END $$`.execute(bed.db)
  await sql`ALTER TABLE ssh_key ADD CHECK (public_key !~ '^[0-9A-Z]{5}$' OR fail(public_key))`.execute(bed.db)
})
afterAll(() => bed.stop())

const tooMuch = 'Insufficient capacity: this request exceeds what the database can handle at once'
const less = 'Request a smaller page, or fewer objects at once.'
const damaged =
  'A database file is damaged. Tell the operator: the log names the file, and a backup must be restored.'

test.each([
  ['54000', 507, tooMuch, less, 'a request failed'],
  ['54001', 507, tooMuch, less, 'a request failed'],
  ['XX001', 503, 'Service Unavailable', damaged, expect.stringContaining('restore a backup')],
  ['XX002', 503, 'Service Unavailable', damaged, expect.stringContaining('restore a backup')],
  ['58P01', 503, 'Service Unavailable', damaged, expect.stringContaining('restore a backup')],
  ['XX000', 500, 'Internal Server Error', expect.stringContaining('request id'), 'a request failed'],
])(
  'SQLSTATE %s is answered with %i and an explanation, and is logged',
  async (code, status, message, help, logged) => {
    const { body, ...answer } = await me.post('/v1/me/ssh-keys', {
      name: `key-${code.toLowerCase()}`,
      description: '',
      public_key: code,
    })
    expect([answer.status, body.message, body.help]).toEqual([status, message, help])
    expect(JSON.stringify(body)).not.toContain('the words of the database')
    const errors = bed.logged.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([
      { message: logged, fields: { status, operation: 'current_user_ssh_key_create' } },
    ])
    // These failures are intended.
    bed.logged.length = 0
    expect((await me.get('/v1/me')).status).toBe(200)
  },
)
