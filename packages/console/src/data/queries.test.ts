import * as op from '@gantry/api/client/operations.gen'
import type { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { isAbsent, meansAbsent, recordAnswer } from './extensions.ts'
import { batcher } from './batcher.ts'
import { allQuery, containsKind, listQuery, metaOf, opQuery, readAfter } from './queries.ts'
import { createQueryClient } from './query-client.ts'

describe('keys', () => {
  test('consist of the operation and its input', () => {
    const input = { path: { project: 'web' } }
    expect(opQuery(op.projectView, input).queryKey).toEqual(['projectView', input])
  })

  test('of a table page also hold its limit and token', () => {
    const disks = listQuery(op.diskList, { query: { project: 'web' } })
    expect(disks.at().queryKey).toEqual(['diskList', { query: { project: 'web', limit: 50 } }])
    expect(disks.at('abc').queryKey).toEqual([
      'diskList',
      { query: { project: 'web', limit: 50, pageToken: 'abc' } },
    ])
  })
})

describe('polling', () => {
  test('applies to queries across silos, which the stream covers only in part', () => {
    const sled = { path: { sledId: 'a' } }
    expect(listQuery(op.sledInstanceList, sled).at().refetchInterval).toBe(10_000)
    expect(opQuery(op.systemOverviewView, {}).refetchInterval).toBe(10_000)
    expect(allQuery(op.siloList, {}).refetchInterval).toBe(10_000)
    expect(opQuery(op.projectView, { path: { project: 'web' } }).refetchInterval).toBe(false)
  })
})

describe('invalidation', () => {
  test.each([
    [op.instanceDiskList, 'disk', true],
    [op.instanceDiskList, 'instance', true],
    [op.instanceDiskList, 'project', false],
    [op.permissionCheck, 'policy', true],
    [op.ping, 'project', false],
  ])('%j is made of %s: %s', (of, kind, expected) => {
    expect(containsKind(metaOf(of), new Set([kind]))).toBe(expected)
  })

  describe('after a change', () => {
    const web = { path: { instance: 'web' }, query: { project: 'p' } }
    const cached = [
      listQuery(op.instanceList, { query: { project: 'p' } }).at(),
      opQuery(op.instanceView, web),
      opQuery(op.instanceView, { ...web, path: { instance: 'db' } }),
      opQuery(op.instanceDiskList, web),
      opQuery(op.instanceExternalIpList, web),
      opQuery(op.vpcView, { path: { vpc: 'default' }, query: { project: 'p' } }),
    ]
    const staleAfter = async (change: (client: QueryClient) => Promise<void>): Promise<string[]> => {
      const client = createQueryClient()
      for (const { queryKey, meta } of cached) {
        client
          .getQueryCache()
          .build(client, { queryKey, ...(meta && { meta }) })
          .setData({})
      }
      await change(client)
      const stale = client.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated })
      return stale.map(({ queryKey: [name, about] }) => `${String(name)} ${pathOf(about)}`.trim())
    }
    const pathOf = (about: unknown) => Object.values((about as { path?: object }).path ?? {}).join()

    test('reads answers again that contain a kind the operation changes, and no others', async () => {
      expect(await staleAfter((client) => readAfter(client, op.instanceStart, web))).toEqual([
        'instanceList',
        'instanceView web',
        'instanceView db',
        'instanceDiskList web',
        'instanceExternalIpList web',
      ])
    })

    test('requests neither a deleted object nor its contents again', async () => {
      expect(await staleAfter((client) => readAfter(client, op.instanceDelete, web))).toEqual([
        'instanceList',
        'instanceView db',
      ])
    })

    test('does not request a renamed object by its old name', async () => {
      const update = (name: string) => (client: QueryClient) =>
        readAfter(client, op.vpcUpdate, {
          path: { vpc: 'default' },
          query: { project: 'p' },
          body: { name },
        })
      expect(await staleAfter(update('main'))).toEqual([])
      expect(await staleAfter(update('default'))).toEqual(['vpcView default'])
    })

    test("keeps the object named in the path when a deletion's path ends without a name", async () => {
      expect(await staleAfter((client) => readAfter(client, op.instanceEphemeralIpDetach, web))).toEqual([
        'instanceExternalIpList web',
      ])
    })
  })

  test('follows the specification for freshness and retries', () => {
    expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
      staleTime: 2000,
      retry: false,
      refetchOnWindowFocus: false,
    })
  })

  test('batches changes, waits for the running read, and never drops the last change', async () => {
    const runs: string[][] = []
    let release = (): void => undefined
    const notice = batcher<string>(
      (kinds) => {
        runs.push(kinds)
        return new Promise<void>((resolve) => (release = resolve))
      },
      { minDelay: 1, maxDelay: 4 },
    )
    notice('disk')
    notice('instance')
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(runs).toEqual([['disk', 'instance']])
    notice('project')
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(runs).toHaveLength(1)
    release()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(runs[1]).toEqual(['project'])
  })
})

describe('an extension is absent', () => {
  const answered = { url: '/', headers: new Headers() }
  const notFound = { type: 'error', statusCode: 404, ...answered } as const
  test('when its path is unknown, but not when an object is missing', () => {
    const body = { request_id: '', message: 'Not Found' }
    expect(meansAbsent(op.search, { ...notFound, data: body })).toBe(true)
    expect(meansAbsent(op.search, { ...notFound, data: { ...body, error_code: 'ObjectNotFound' } })).toBe(
      false,
    )
    expect(meansAbsent(op.projectView, { ...notFound, data: body })).toBe(false)
  })
  test('when a page comes back instead of JSON', () => {
    const page = {
      type: 'client_error',
      text: '<!doctype html>',
      error: new Error('x'),
      ...answered,
    } as const
    expect(meansAbsent(op.search, { ...page, statusCode: 200 })).toBe(true)
    expect(meansAbsent(op.search, { ...page, statusCode: 502 })).toBe(false)
  })
  test('for good, unless it has answered before', () => {
    const missing = { ...notFound, data: { request_id: '', message: 'Not Found' } }
    recordAnswer(op.placementCheck, missing)
    expect(isAbsent(op.placementCheck)).toBe(true)
    recordAnswer(op.vpcPacketCheck, { type: 'success', statusCode: 200, ...answered, data: {} })
    recordAnswer(op.vpcPacketCheck, missing)
    expect(isAbsent(op.vpcPacketCheck)).toBe(false)
  })
})
