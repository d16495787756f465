import type { addressLotOps } from '@gantry/api/rack-network/address-lot'
import { id, named, network, next, plain } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'

const lot = { path: { address_lot: 'nobody' } }

export const addressLotCases: CasesOf<typeof addressLotOps> = {
  networkingAddressLotList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${network}/address-lot`],
  },
  networkingAddressLotCreate: {
    sent: { body: { ...named, kind: 'infra', blocks: [] } },
    rule: openly('create_child', 'fleet'),
    allowed: () => [`${network}/address-lot`, { ...plain(), kind: 'infra', blocks: [] }],
  },
  networkingAddressLotView: {
    sent: lot,
    rule: onFleet('read'),
    allowed: () => [`${network}/address-lot/uplinks`],
  },
  networkingAddressLotDelete: {
    sent: lot,
    rule: onFleet('modify'),
    allowed: () => [`${network}/address-lot/uplinks`],
  },
  networkingAddressLotBlockList: {
    sent: lot,
    rule: onFleet('list_children'),
    allowed: () => [`${network}/address-lot/uplinks/blocks`],
  },
  networkingLoopbackAddressList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${network}/loopback-address`],
  },
  networkingLoopbackAddressCreate: {
    sent: {
      body: {
        address_lot: 'nobody',
        rack_id: id,
        switch_location: 'switch0',
        address: '192.0.2.1',
        mask: 32,
        anycast: false,
      },
    },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [
      `${network}/loopback-address`,
      {
        address_lot: 'uplinks',
        rack_id: ids.rack,
        switch_location: 'switch0',
        address: `203.0.113.${(next() % 250) + 1}`,
        mask: 32,
        anycast: true,
      },
    ],
  },
  networkingLoopbackAddressDelete: {
    sent: {
      path: { rack_id: id, switch_slot: 'switch0', address: '192.0.2.1', subnet_mask: '32' },
    },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [`${network}/loopback-address/${ids.rack}/switch0/203.0.113.1/30`],
    missing: true,
  },
}
