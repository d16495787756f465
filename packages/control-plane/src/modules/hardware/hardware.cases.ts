import type { hardwareOps } from '@gantry/api/system/hardware'
import { hardware, id } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'

const sled = { path: { sled_id: id } }

export const hardwareCases: CasesOf<typeof hardwareOps> = {
  rackList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => [`${hardware}/racks`] },
  rackView: {
    sent: { path: { rack_id: id } },
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${hardware}/racks/${ids.rack}`],
  },
  sledList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => [`${hardware}/sleds`] },
  sledAdd: {
    sent: { body: { serial: 'x', part: 'x' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${hardware}/sleds`, { serial: 'GS-001', part: 'gantry-sled' }],
  },
  sledView: { sent: sled, rule: onFleet('read'), allowed: ({ ids }) => [`${hardware}/sleds/${ids.sled}`] },
  sledInstanceList: {
    sent: sled,
    rule: onFleet('list_children'),
    allowed: ({ ids }) => [`${hardware}/sleds/${ids.sled}/instances`],
  },
  sledSetProvisionPolicy: {
    sent: { ...sled, body: { state: 'provisionable' } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`${hardware}/sleds/${ids.sled}/provision-policy`, { state: 'non_provisionable' }],
  },
  sledListUninitialized: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${hardware}/sleds-uninitialized`],
  },
  physicalDiskList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${hardware}/disks`],
  },
  physicalDiskView: {
    sent: { path: { disk_id: id } },
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${hardware}/disks/${ids.disk}`],
  },
  sledPhysicalDiskList: {
    sent: sled,
    rule: openly('list_children', 'fleet'),
    allowed: ({ ids }) => [`${hardware}/sleds/${ids.sled}/disks`],
  },
  switchList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => [`${hardware}/switches`] },
  switchView: {
    sent: { path: { switch_id: id } },
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${hardware}/switches/${ids.switch}`],
  },
  sledUseList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => ['/ext/v1/system/sleds'] },
  sledOutageView: {
    sent: sled,
    rule: onFleet('list_children'),
    allowed: ({ ids }) => [`/ext/v1/system/sleds/${ids.sled}/outage`],
  },
  sledOutageStart: {
    sent: { ...sled, body: { instances: [id] } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`/ext/v1/system/sleds/${ids.sled}/outage/start`, { instances: [id] }],
  },
  sledExpunge: {
    sent: sled,
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`/ext/v1/system/sleds/${ids.sled}/expunge`, {}],
  },
  sledDrainList: {
    sent: sled,
    rule: onFleet('list_children'),
    allowed: ({ ids }) => [`/ext/v1/system/sleds/${ids.sled}/drains`],
  },
  sledDrainCreate: {
    sent: { ...sled, body: { mode: 'move' } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`/ext/v1/system/sleds/${ids.sled}/drains`, { mode: 'stop' }],
  },
  sledDrainView: {
    sent: { path: { drain_id: id } },
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/ext/v1/system/drains/${ids.drain}`],
  },
  sledDrainCancel: {
    sent: { path: { drain_id: id } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`/ext/v1/system/drains/${ids.drain}/cancel`],
  },
}
