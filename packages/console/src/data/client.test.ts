import * as op from '@gantry/api/client/operations.gen'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from './client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a refused call is logged with its URL, request id, code and message', async () => {
  const body = { request_id: 'r1', error_code: 'ObjectNotFound', message: 'not found: disk "d"' }
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 404 }))
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(call(op.diskView, { path: { disk: 'd' }, query: { project: 'p q' } })).rejects.toThrow(
    'Not found',
  )
  expect(log.mock.calls[0]?.[1]).toMatchObject({
    url: '/v1/disks/d?project=p+q',
    requestId: 'r1',
    errorCode: 'ObjectNotFound',
    message: 'Not found: disk "d"',
  })
})
