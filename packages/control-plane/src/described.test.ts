import { isRead, type Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atlas } from './testing/case-values.ts'
import { allCases } from './testing/cases.gen.ts'
import { furnish } from './testing/hidden-things.ts'
import type { OperationCase } from './testing/operation-case.ts'
import { policyScene, type PolicyScene } from './testing/policy-scene.ts'
import { undescribed } from './testing/undescribed.ts'

const cases: Record<OpName, OperationCase> = allCases
/** Operations of `/openapi.json` that answer in JSON; reads first, because others change what they answer. */
const base = (Object.keys(ops) as OpName[])
  .filter((name) => {
    const op: Operation = ops[name]
    return !op.path.startsWith('/ext/') && op.transport === 'json' && !op.anonymous
  })
  .toSorted((one, other) => Number(isRead(ops[other].method)) - Number(isRead(ops[one].method)))

let scene: PolicyScene
beforeAll(async () => {
  scene = await policyScene()
  await furnish(scene.owner, atlas)
})
afterAll(() => scene.bed.stop())

test.each(base)('%s answers what /openapi.json describes', async (name) => {
  const op: Operation = ops[name]
  if (name === 'logout' || cases[name].afterPassword) return
  for (const caller of [scene.operator, scene.owner, scene.bed.anonymous]) {
    const [path, body] = await cases[name].allowed({ ...scene, who: { ...caller, silo: 'demo' } })
    const answer = await caller.call(op.method, path, body)
    expect(undescribed(op, answer.status, answer.body)).toEqual([])
  }
})

test('a member that no description tells of is found', () => {
  const op = { method: 'GET', path: '/v1/me' }
  const error = { request_id: 'r', message: 'm' }
  expect(undescribed(op, 404, { ...error, help: 'h', hint: 'x' })).toEqual(['error.hint is not described'])
  expect(undescribed(op, 404, { request_id: 'r' })).toEqual(['error.message is missing'])
})
