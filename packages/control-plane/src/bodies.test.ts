import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

describe('a body costs no more than its limits allow', () => {
  /** Megabytes of small objects, which a validator would read one by one before it checked the length. */
  const flood = (head: string, item: string, tail: string): string => {
    const room = 1024 * 1024 - head.length - tail.length
    return (
      head +
      Array(Math.floor(room / (item.length + 1)))
        .fill(item)
        .join(',') +
      tail
    )
  }
  const rules = '/v1/vpc-firewall-rules?project=playground&vpc=default'
  const rule = (targets: string) =>
    `{"name":"a","description":"","status":"enabled","direction":"inbound","filters":{},"action":"allow","priority":1,"targets":[${targets}]}`

  test.each([
    ['rules', flood('{"rules":[', '{}', ']}'), 'unsupported value for "rules": max length 1024'],
    ['targets', flood('{"rules":[', rule('{}'), ']}'), 'unsupported value for "rules": max length 1024'],
    [
      'targets of one rule',
      flood(`{"rules":[${rule('').slice(0, -2)}`, '{}', ']}]}'),
      'unsupported value for "targets": max length 256',
    ],
  ])('%s of a firewall', async (_, body, message) => {
    const answer = await me.call('PUT', rules, body)
    expect([answer.status, answer.body.message]).toEqual([400, message])
  })

  test('only the first of many bad items is reported', async () => {
    const body = `{"rules":[${Array(1000).fill('{}').join(',')}]}`
    const answer = await me.call('PUT', rules, body)
    expect(answer.body.message).toMatch(
      /^unable to parse JSON body: rules\[0\]: missing field `name` at line 1 column \d+$/,
    )
  })

  test.each([
    ['/v1/projects', 64],
    ['/v1/instances?project=playground', 256],
    ['/v1/me/ssh-keys', 64],
  ])('%s accepts %i KiB', async (path, kib) => {
    const answer = await me.post(path, `{"name":"${'x'.repeat(kib * 1024)}"}`)
    expect(answer.body.message).toBe(`request body exceeded maximum size of ${kib * 1024} bytes`)
  })

  test('a refusal does not repeat long input', async () => {
    const answer = await me.call('PUT', rules, `{"rules":[{"status":"${'y'.repeat(500_000)}"}]}`)
    expect(JSON.stringify(answer.body).length).toBeLessThan(1000)
  })
})
