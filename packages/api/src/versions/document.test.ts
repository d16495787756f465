import { expect, test } from 'vitest'
import whole from '../../openapi.ext.json' with { type: 'json' }
import { documentOf, type WholeDocument } from './document.ts'

const idsOf = (version: number): Map<string, string> =>
  new Map(
    Object.entries(documentOf(whole as unknown as WholeDocument, version).paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]): [string, string] => [
        String(operationId),
        `${method} ${path}`,
      ]),
    ),
  )

test('a version has the operations of its time, at their paths and under their names', () => {
  const base = idsOf(20250730)
  const newest = idsOf(2026081901)
  expect(base.get('external_subnet_list')).toBeUndefined()
  expect(newest.get('external_subnet_list')).toBe('get /v1/external-subnets')
  expect(base.get('support_bundle_list')).toBe('get /experimental/v1/system/support-bundles')
  expect(newest.get('support_bundle_list')).toBe('get /v1/system/support-bundles')
  expect(base.get('ip_pool_list')).toBe('get /v1/system/ip-pools')
  expect(base.get('project_ip_pool_list')).toBe('get /v1/ip-pools')
  expect(newest.get('system_ip_pool_list')).toBe('get /v1/system/ip-pools')
  expect(newest.get('ip_pool_list')).toBe('get /v1/ip-pools')
  const lookUp = 'lookup_multicast_group_by_ip'
  expect(idsOf(2026010500).get(lookUp)).toBe('get /v1/system/multicast-groups/by-ip/{multicast_group}')
  expect([base, idsOf(2026010800), newest].map((ids) => ids.get(lookUp))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(newest.get('plan_system_ip_pool_create')).toBe('post /ext/v1/plans/v1/system/ip-pools')
})

test.each(['', '/ext/v1/plans'])('parameters are called as in the version, also of a plan: %s', (prefix) => {
  const paramsOf = (version: number, path: string) => {
    const { parameters } =
      documentOf(whole as unknown as WholeDocument, version).paths[path]?.['delete'] ?? {}
    return (parameters as { name: string }[] | undefined)?.map(({ name }) => name)
  }
  const detach = `${prefix}/v1/instances/{instance}/external-ips/ephemeral`
  expect(paramsOf(2026012300, detach)).toContain('ip_version')
  expect(paramsOf(2026012201, detach)).not.toContain('ip_version')
  if (prefix !== '') return
  const loopback =
    '/v1/system/networking/loopback-address/{rack_id}/{switch_location}/{address}/{subnet_mask}'
  expect(paramsOf(2026030600, loopback)).toContain('switch_location')
  expect(paramsOf(2026030601, loopback)).toBeUndefined()
})
