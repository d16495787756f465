import { expect, test } from 'vitest'
import { emptySilo, siloBody } from './values.ts'

test('sends a silo in bytes, with the selected mappings', () => {
  const body = siloBody({
    ...emptySilo,
    name: 'forge',
    cpus: 4,
    memory: 1.5,
    storage: 2,
    adminGroupName: ' ops ',
    adminMapped: true,
  })
  expect(body.quotas).toEqual({ cpus: 4, memory: 1.5 * 1024 ** 3, storage: 2 * 1024 ** 3 })
  expect(body.adminGroupName).toBe('ops')
  expect(body.mappedFleetRoles).toEqual({ admin: ['admin'] })
})

test.each([
  ['saml_jit', '   '],
  ['local_only', 'ops'],
] as const)(
  'sends a silo with %s and the group "%s" without an admin group',
  (identityMode, adminGroupName) =>
    expect(siloBody({ ...emptySilo, identityMode, adminGroupName })).not.toHaveProperty('adminGroupName'),
)
