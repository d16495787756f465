import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

let count = 0
async function kept(description: string): Promise<{ status: number; description: string }> {
  const name = `text-${++count}`
  const made = await me.post('/v1/projects', { name, description })
  if (made.status !== 201) return { status: made.status, description: made.body.message }
  const view = (await me.get(`/v1/projects/${name}`)).body
  const listed = (await me.get('/v1/projects?limit=1000')).body.items.find(
    (project: { name: string }) => project.name === name,
  )
  expect(listed.description).toBe(view.description)
  return { status: made.status, description: view.description }
}

test.each(['\uFEFFmarked', '\uFEFF\uFEFF', 'in\uFEFFside', ' blanks ', '\u00A0', 'line\n', '😀'])(
  'a description of %j is kept to the character',
  async (text) => expect(await kept(text)).toEqual({ status: 201, description: text }),
)

test('the length of a text is counted in characters and not in halves of them', async () => {
  const long = '😀'.repeat(512)
  expect(await kept(long)).toEqual({ status: 201, description: long })
  expect(await kept(`${long}x`)).toMatchObject({
    status: 400,
    description: expect.stringContaining('description may contain at most 512 characters'),
  })
})

test('a refusal that repeats a long text cuts no character in half', async () => {
  const { status, body } = await me.post('/v1/projects', {
    name: 7,
    description: '',
    [`x${'😀'.repeat(60)}`]: 1,
  })
  expect(status).toBe(400)
  expect(body.message).not.toMatch(/\p{Surrogate}/u)
  const named = await me.post('/v1/disks?project=playground', {
    name: 'text',
    description: '',
    size: `x${'😀'.repeat(60)}`,
    disk_source: { type: 'blank', block_size: 512 },
  })
  expect(named.status).toBe(400)
  expect(named.body.message).not.toMatch(/\p{Surrogate}/u)
  expect(named.body.message).not.toContain('\uFFFD')
})
