import { describe, expect, test } from 'vitest'
import { installationsOn, networkCleaning, type NetworkFacts } from './leftovers.ts'

const [own, other] = ['aaaaaa', 'bbbbbb']

const facts = (more: Partial<NetworkFacts> = {}): NetworkFacts => ({
  links: [
    { name: 'lo' },
    { name: 'eth0' },
    { name: `g${own}n`, alias: 'gantry /srv/one/fleet' },
    { name: `g${own}v1` },
    { name: `g${other}n`, alias: 'gantry /srv/two/fleet' },
    { name: `g${other}v1` },
    { name: 'gaaaaaanx' },
  ],
  routes: [
    { address: 'default', device: 'eth0' },
    { address: '100.64.0.0/16', device: `g${own}n` },
    { address: '192.0.2.5', device: `g${own}v1` },
    { address: '192.0.2.6', device: `g${other}v1` },
  ],
  answers: [
    { address: '192.0.2.5', device: 'eth0' },
    { address: '192.0.2.6', device: 'eth0' },
    { address: '192.0.2.7', device: 'eth0' },
  ],
  tables: ['filter', `gantry-${own}`, `gantry-${other}`, 'gantry-more'],
  namespaces: [`gantry-${own}-v-one`, `gantry-${own}-m-two`, `gantry-${other}-v-one`, 'mine'],
  forwarding: { isRouter: false, on: ['eth0', 'eth1', 'eth2'], off: ['eth3'] },
  forwarded: new Map([
    [own, ['eth0', 'eth3']],
    [other, []],
  ]),
  ...more,
})
const nothing = {
  forwarding: [],
  forwardingOfOthers: [],
  answers: [],
  namespaces: [],
  links: [],
  routes: [],
  table: undefined,
  device: undefined,
}

test('everything of an installation goes, and nothing else', () => {
  expect(networkCleaning({ tag: own }, facts(), undefined)).toEqual({
    forwarding: ['eth0'],
    forwardingOfOthers: [],
    answers: [{ address: '192.0.2.5', device: 'eth0' }],
    namespaces: [`gantry-${own}-v-one`, `gantry-${own}-m-two`],
    links: [`g${own}v1`],
    routes: ['100.64.0.0/16', '192.0.2.5'],
    table: `gantry-${own}`,
    device: `g${own}n`,
  })
  expect(networkCleaning({ tag: 'cccccc' }, facts(), undefined)).toEqual(nothing)
})

describe('forwarding', () => {
  test.each([
    ['is restored where the records alone know of it', [], ['eth1'], [own], ['eth1'], []],
    ['stays where another installation needs it', ['eth0', 'eth1'], [], [own, other], ['eth1'], ['eth0']],
    ['stays where nobody says that it was off before', [], [], [own], [], []],
    ['stays off where it is off', ['eth3'], ['eth3'], [own], [], []],
  ])('%s', (_, inTable, inRecords, tags, forwarding, forwardingOfOthers) => {
    const forwarded = new Map(tags.map((tag) => [tag, tag === own ? inTable : ['eth0']]))
    const kept = { proxied: [], forwarded: inRecords }
    expect(networkCleaning({ tag: own }, facts({ forwarded }), kept)).toMatchObject({
      forwarding,
      forwardingOfOthers,
    })
  })

  test('of a host that has become a router stays', () => {
    const forwarding = { isRouter: true, on: ['eth0'], off: [] }
    expect(networkCleaning({ tag: own }, facts({ forwarding }), undefined)).toMatchObject({
      forwarding: [],
      forwardingOfOthers: [],
    })
  })
})

test('answers are those that were written down, unless others have the address or the interface', () => {
  const kept = { interface: 'eth0', proxied: ['192.0.2.6', '192.0.2.7', '192.0.2.8'], forwarded: [] }
  const { answers } = networkCleaning(
    { tag: own },
    facts({ answers: [...facts().answers, { address: '192.0.2.8', device: 'eth1' }] }),
    kept,
  )
  expect(answers).toEqual([
    { address: '192.0.2.5', device: 'eth0' },
    { address: '192.0.2.7', device: 'eth0' },
  ])
})

test('installations are told by their devices and tables, with their folders', () => {
  expect(installationsOn(facts({ tables: ['gantry-cccccc'] }))).toEqual([
    { tag: own, folder: '/srv/one/fleet' },
    { tag: other, folder: '/srv/two/fleet' },
    { tag: 'cccccc' },
  ])
  const links = [
    { name: `g${own}n`, alias: 'something else' },
    { name: `g${own}v1`, alias: 'gantry /no' },
  ]
  expect(installationsOn({ links, tables: [] })).toEqual([{ tag: own, folder: undefined }])
})
