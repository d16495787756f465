import type { internetGatewayOps } from '@gantry/api/network/internet-gateway'
import { inVpc, named, ofVpc, plain } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInNetwork,
  listChild,
  modifyNetwork,
  readChild,
  type Given,
} from '@gantry/control-plane/testing/operation-case'

const inGateway = { ...inVpc, gateway: 'default' }
const gateway = { path: { gateway: 'nobody' }, query: inVpc }
const ofGateway = `${ofVpc}&gateway=default`

export const internetGatewayCases: CasesOf<typeof internetGatewayOps> = {
  internetGatewayList: {
    sent: { query: inVpc },
    rule: listChild,
    allowed: () => [`/v1/internet-gateways?${ofVpc}`],
  },
  internetGatewayCreate: {
    sent: { query: inVpc, body: named },
    rule: createInNetwork,
    allowed: () => [`/v1/internet-gateways?${ofVpc}`, plain()],
  },
  internetGatewayView: {
    sent: gateway,
    rule: readChild,
    allowed: () => [`/v1/internet-gateways/default?${ofVpc}`],
    addressed: [
      'gateway',
      'internet-gateway',
      ['vpc', 'project'],
      'when providing gateway as an ID vpc and project should not be specified',
      'gateway should either be an ID or vpc should be specified',
    ],
  },
  internetGatewayDelete: {
    sent: gateway,
    rule: modifyNetwork,
    allowed: () => [`/v1/internet-gateways/default?${ofVpc}`],
  },
  internetGatewayIpPoolList: {
    sent: { query: inGateway },
    rule: listChild,
    allowed: () => [`/v1/internet-gateway-ip-pools?${ofVpc}&gateway=default`],
  },
  internetGatewayIpPoolCreate: {
    sent: { query: inGateway, body: { ...named, ip_pool: 'nowhere' } },
    rule: createInNetwork,
    allowed: ({ ids }) => [`/v1/internet-gateway-ip-pools?${ofGateway}`, { ...plain(), ip_pool: ids.pool }],
  },
  internetGatewayIpPoolDelete: {
    sent: { path: { pool: 'nobody' }, query: inGateway },
    rule: modifyNetwork,
    allowed: () => [`/v1/internet-gateway-ip-pools/default?${ofGateway}`],
    addressed: [
      'pool',
      'internet-gateway-ip-pool',
      ['gateway', 'vpc', 'project'],
      'when providing pool as an ID gateway, subnet, vpc, and project should not be specified',
      'pool should either be an ID or gateway should be specified',
    ],
  },
  internetGatewayIpAddressList: {
    sent: { query: inGateway },
    rule: listChild,
    allowed: () => [`/v1/internet-gateway-ip-addresses?${ofGateway}`],
  },
  internetGatewayIpAddressCreate: {
    sent: { query: inGateway, body: { ...named, address: '10.0.0.1' } },
    rule: createInNetwork,
    allowed: () => [`/v1/internet-gateway-ip-addresses?${ofGateway}`, { ...plain(), address: '10.0.0.1' }],
  },
  internetGatewayIpAddressDelete: {
    sent: { path: { address: 'nobody' }, query: inGateway },
    rule: modifyNetwork,
    allowed: async ({ owner }) => {
      await owner.post(`/v1/internet-gateway-ip-addresses?${ofGateway}`, {
        name: 'out',
        description: '',
        address: '10.0.0.1',
      })
      const { body } = await owner.get(`/v1/internet-gateway-ip-addresses?${ofGateway}`)
      return [`/v1/internet-gateway-ip-addresses/${body.items[0].id}`]
    },
    addressed: [
      'address',
      'internet-gateway-ip-address',
      ['gateway', 'vpc', 'project'],
      'when providing address as an ID gateway, subnet, vpc, and project should not be specified',
      'address should either be an ID or gateway should be specified',
    ],
  },
}

export const internetGatewayGiven: Given = {
  address: ({ at, the }) => [
    `/v1/internet-gateway-ip-addresses?${at}&vpc=default&gateway=default`,
    { ...the, address: '10.0.0.1' },
  ],
}
