import { expect, test } from 'vitest'
import { blockerText, Failure, failureOf } from './failure.ts'

const answered = { url: '/', headers: new Headers() }
const create = { name: 'projectCreate' } as const
const refused = (statusCode: number, data: object) =>
  failureOf(create, {
    type: 'error',
    statusCode,
    ...answered,
    data: { request_id: 'r1', message: '', ...data },
  })

test.each([
  [403, { error_code: 'Forbidden', message: 'Forbidden' }, 'Action not authorized'],
  [
    404,
    { error_code: 'ObjectNotFound', message: 'not found: project with name "x"' },
    'Not found: project with name "x"',
  ],
  [
    400,
    { error_code: 'ObjectAlreadyExists', message: 'already exists: project "x"' },
    'Project name already exists',
  ],
  [400, { error_code: 'ObjectAlreadyExists', message: 'taken' }, 'Project name already exists'],
  [400, { message: 'unable to parse JSON body: name: too long at line 1 column 9' }, 'Name: too long'],
  [507, { error_code: 'InsufficientCapacity', message: 'no sled fits' }, 'No sled fits'],
  [500, {}, 'Unknown server error'],
])('a %i with %j reads: %s', async (status, body, words) =>
  expect(await refused(status, body)).toMatchObject({ message: words }),
)

test('a failure carries the taken name, which its message leaves out', async () => {
  const error_code = 'ObjectAlreadyExists'
  const failure = await refused(400, { error_code, message: 'already exists: disk "data"' })
  expect(failure).toMatchObject({ message: 'Disk name already exists', takenName: 'data' })
  expect((await refused(400, { error_code, message: 'taken' })).takenName).toBeUndefined()
})

test("a failure carries the request id for support and the server's advice", async () => {
  expect(await refused(409, { error_code: 'Conflict', message: 'no', help: 'Stop it first' })).toMatchObject({
    statusCode: 409,
    errorCode: 'Conflict',
    requestId: 'r1',
    help: 'Stop it first',
  })
})

test.each([
  [200, 'Error reading API response'],
  [0, 'Could not reach the server'],
])('an unreadable answer with status %i reads: %s', async (statusCode, words) => {
  const failure = await failureOf(create, {
    type: 'client_error',
    statusCode,
    ...answered,
    text: '<',
    error: new Error('x'),
  })
  expect(failure).toBeInstanceOf(Failure)
  expect(failure.message).toBe(words)
})

test('lists every blocker by name and counts those that do not fit', () => {
  const blockers = [
    { kind: 'project', count: 1, names: ['web'] },
    { kind: 'disk', count: 23, names: ['a', 'b'] },
  ]
  expect(blockerText({ blockers })).toBe('It contains 1 project: web; 23 disks: a, b, and 21 more.')
})

test.each([undefined, null, {}, { blockers: [] }, { etag: '"1"' }])('%j names nothing', (details) =>
  expect(blockerText(details)).toBeUndefined(),
)
