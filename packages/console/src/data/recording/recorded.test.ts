import type { Client } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { expect, test } from 'vitest'
import { knownObjects, type RecordedStep } from './recorded.ts'

const id = (digit: number) => `3e2c6e84-bed8-4c94-afc3-10320000000${digit}`

/** Answers the reads of a test, and keeps which were asked. */
function fakeClient(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const client = (({ name }: { name: string }) => {
    asked.push(name)
    const data = answers[name]
    return Promise.resolve(
      data === undefined ? { type: 'error', statusCode: 403 } : { type: 'success', data },
    )
  }) as unknown as Client
  return { client, asked }
}

const stepOfSet: RecordedStep = {
  op: op.networkingBgpAnnounceSetUpdate,
  input: { body: { name: 'set', announcement: [{ addressLotBlock: id(2), network: '203.0.113.0/25' }] } },
}

const lot = { name: 'uplinks', description: 'outside', kind: 'infra' }
const block = (digit: number, firstAddress: string, lastAddress: string) => ({
  id: id(digit),
  firstAddress,
  lastAddress,
})
const reads = {
  search: { items: [] },
  networkingAddressLotList: { items: [lot] },
  networkingAddressLotView: {
    lot,
    blocks: [block(1, '198.18.0.1', '198.18.0.9'), block(2, '203.0.113.0', '203.0.113.255')],
  },
}

test('a block of an address lot is known by its addresses', async () => {
  const { client } = fakeClient(reads)
  const known = await knownObjects(client, [id(2)], [stepOfSet])
  expect(known).toEqual({
    [id(2)]: {
      kind: 'address-lot-block',
      name: 'uplinks',
      request: {
        op: expect.objectContaining({ name: 'networkingAddressLotCreate', method: 'POST' }),
        input: {
          body: { ...lot, blocks: [{ firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' }] },
        },
      },
      field: 'blocks.0.id',
    },
  })
})

test('lots are not read for ids of other steps', async () => {
  const { client, asked } = fakeClient(reads)
  const step: RecordedStep = { op: op.diskDelete, input: { path: { disk: id(2) } } }
  expect(await knownObjects(client, [id(2)], [step])).toEqual({})
  expect(asked).toEqual(['search'])
})

test('a user who may not read lots keeps the id', async () => {
  const { client } = fakeClient({ search: { items: [] } })
  expect(await knownObjects(client, [id(2)], [stepOfSet])).toEqual({})
})
