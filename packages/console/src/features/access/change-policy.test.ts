import type { RoleName } from '@gantry/api/roles.rules'
import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import type { Assignment, Edit } from './assignments.ts'
import { changePolicy, Overtaken } from './change-policy.ts'
import type { PolicyPlace } from './policy-place.ts'

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

/** A server with one policy; `meanwhile` is done by somebody else between a reading and a writing. */
function server(policy: Assignment[], meanwhile: ((policy: Assignment[]) => Assignment[])[] = []) {
  let generation = 1
  const state = { policy, writes: 0 }
  const place: PolicyPlace = {
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
  return { place, state }
}

test('what two people do to different roles is all kept', async () => {
  const { place, state } = server(
    [has('ann', 'admin')],
    [(policy) => [...policy, has('ben', 'viewer')], (policy) => [...policy, has('eve', 'viewer')]],
  )
  await changePolicy(place, give('joe', 'collaborator'))
  expect(state.policy).toEqual([
    has('ann', 'admin'),
    has('ben', 'viewer'),
    has('eve', 'viewer'),
    has('joe', 'collaborator'),
  ])
})

test('what somebody else did to the same role is told and not undone', async () => {
  const { place, state } = server([has('ben', 'viewer')], [() => [has('ben', 'admin')]])
  const refusal = changePolicy(place, give('ben', undefined, 'viewer'))
  await expect(refusal).rejects.toThrow('Someone else has changed this role to admin')
  await expect(refusal).rejects.toBeInstanceOf(Overtaken)
  expect(state.policy).toEqual([has('ben', 'admin')])
  await changePolicy(place, give('ben', undefined, 'admin'))
  expect(state.policy).toEqual([])
})

test('what is so already is not written again', async () => {
  const { place, state } = server([has('ben', 'viewer')])
  await changePolicy(place, give('ben', 'viewer', 'admin'))
  expect(state.writes).toBe(0)
})

test('it gives up where others never stop, and at once at any other refusal', async () => {
  let count = 0
  const busy = server(
    [],
    Array(20).fill((policy: Assignment[]) => [...policy, has(`other-${count++}`, 'viewer')]),
  )
  await expect(changePolicy(busy.place, give('joe', 'viewer'))).rejects.toThrow('stale')
  expect(busy.state.writes).toBe(5)

  const closed = server([])
  closed.place.write = () => Promise.reject(new Failure({ message: 'no', statusCode: 403 }))
  await expect(changePolicy(closed.place, give('joe', 'viewer'))).rejects.toThrow('no')
})
