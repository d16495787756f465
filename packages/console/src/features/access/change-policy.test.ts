import type { RoleName } from '@gantry/api/base/roles.rules'
import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import type { Assignment, Edit } from './assignments.ts'
import { changePolicy, ConcurrentChange } from './change-policy.ts'
import type { PolicyOwner } from './policy-owner.ts'

const has = (identityId: string, roleName: RoleName): Assignment => ({
  identityId,
  identityType: 'silo_user',
  roleName,
})
const give = (identityId: string, role: RoleName | undefined, seen?: RoleName): Edit => ({
  identityId,
  identityType: 'silo_user',
  role,
  seen,
})

/** A server with one policy; `meanwhile` is another user's change between a read and a write. */
function server(policy: Assignment[], meanwhile: ((policy: Assignment[]) => Assignment[])[] = []) {
  let generation = 1
  const state = { policy, writes: 0 }
  const owner: PolicyOwner = {
    level: 'silo',
    name: 'demo',
    read: () => {
      const answer = { data: { roleAssignments: state.policy }, etag: `"${generation}"` }
      const other = meanwhile.shift()
      if (other) {
        state.policy = other(state.policy)
        generation += 1
      }
      return Promise.resolve(answer)
    },
    write: (assignments, etag) => {
      state.writes += 1
      if (etag !== `"${generation}"`)
        return Promise.reject(new Failure({ message: 'stale', statusCode: 412 }))
      state.policy = assignments
      generation += 1
      return Promise.resolve()
    },
  }
  return { owner, state }
}

test('keeps concurrent changes to different roles', async () => {
  const { owner, state } = server(
    [has('ann', 'admin')],
    [(policy) => [...policy, has('ben', 'viewer')], (policy) => [...policy, has('eve', 'viewer')]],
  )
  await changePolicy(owner, give('joe', 'collaborator'))
  expect(state.policy).toEqual([
    has('ann', 'admin'),
    has('ben', 'viewer'),
    has('eve', 'viewer'),
    has('joe', 'collaborator'),
  ])
})

test('reports a concurrent change to the same role and does not undo it', async () => {
  const { owner, state } = server([has('ben', 'viewer')], [() => [has('ben', 'admin')]])
  const refusal = changePolicy(owner, give('ben', undefined, 'viewer'))
  await expect(refusal).rejects.toThrow('Someone else has changed this role to admin')
  await expect(refusal).rejects.toBeInstanceOf(ConcurrentChange)
  expect(state.policy).toEqual([has('ben', 'admin')])
  await changePolicy(owner, give('ben', undefined, 'admin'))
  expect(state.policy).toEqual([])
})

test('skips the write if the change is already in effect', async () => {
  const { owner, state } = server([has('ben', 'viewer')])
  await changePolicy(owner, give('ben', 'viewer', 'admin'))
  expect(state.writes).toBe(0)
})

test('gives up after repeated conflicts, and at once on any other refusal', async () => {
  let count = 0
  const busy = server(
    [],
    Array(20).fill((policy: Assignment[]) => [...policy, has(`other-${count++}`, 'viewer')]),
  )
  await expect(changePolicy(busy.owner, give('joe', 'viewer'))).rejects.toThrow('stale')
  expect(busy.state.writes).toBe(5)

  const closed = server([])
  closed.owner.write = () => Promise.reject(new Failure({ message: 'no', statusCode: 403 }))
  await expect(changePolicy(closed.owner, give('joe', 'viewer'))).rejects.toThrow('no')
})
