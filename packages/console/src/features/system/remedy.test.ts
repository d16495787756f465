import { expect, test } from 'vitest'
import { remedyOf } from './remedy.ts'
import type { SystemIssue } from './queries.ts'

const issue = (
  kind: SystemIssue['kind'],
  touched?: Partial<SystemIssue['touches'][number]>,
): SystemIssue => ({
  id: `${kind}:1`,
  kind,
  severity: 'critical',
  since: null,
  ended: null,
  message: '',
  nextStep: '',
  cause: null,
  effects: 0,
  fault: null,
  acknowledgement: null,
  touches: touched
    ? [{ kind: 'sled', id: 'id', name: 'name', projectName: null, siloName: null, ...touched }]
    : [],
})

const own = { kind: 'instance', projectName: 'web', siloName: 'demo' } as const

test.each([
  [issue('fault', { kind: 'sled' }), 'Open sled', '/system/inventory/sleds/$sled/instances'],
  [issue('unreachable_host', { kind: 'sled' }), 'Open sled', '/system/inventory/sleds/$sled/instances'],
  [issue('failed_instance', own), 'Open instance', '/projects/$project/instances/$instance/storage'],
  [
    issue('nearly_full_pool', { kind: 'ip-pool' }),
    'Add range…',
    '/system/networking/ip-pools/$pool/ranges-add',
  ],
  [issue('quota_near_limit', { kind: 'silo' }), 'Open quotas', '/system/silos/$silo/quotas'],
  [
    issue('certificate_expiring', { kind: 'certificate', siloName: 'demo' }),
    'Open certificates',
    '/system/silos/$silo/certificates',
  ],
  [issue('metric_threshold', { kind: 'metric-query' }), 'Open saved query', '/system/saved-queries/$query'],
  [issue('stuck_update', { kind: 'sled' }), 'Open sled', '/system/inventory/sleds/$sled/instances'],
  [issue('stuck_update'), 'Open updates', '/system/update'],
] as const)('an issue links to where it is mended: $0.kind', (given, label, to) => {
  const remedy = remedyOf(given, 'demo')
  expect([remedy?.label, remedy?.link.to]).toEqual([label, to])
})

test('an instance of another silo has no page here, and a job has none at all', () => {
  expect(remedyOf(issue('failed_instance', { ...own, siloName: 'forge' }), 'demo')).toBeUndefined()
  expect(remedyOf(issue('failed_job', { kind: 'job' }), 'demo')).toBeUndefined()
})
