import { type ExternalIp, type Gateway, ip, type NetworkRows, sameAddress } from './model.ts'

export const prepareGateways = (rows: NetworkRows): Gateway[] =>
  rows.gateways.map(({ id, name }) => {
    const mine = (one: { internet_gateway_id: string }): boolean => one.internet_gateway_id === id
    const poolIds = new Set(rows.gatewayPools.filter(mine).map((one) => one.ip_pool_id))
    return { id, name, poolIds, addresses: rows.gatewayAddresses.filter(mine).map((one) => ip(one.address)) }
  })

export const carries = (gateway: Gateway, { ip: own, poolId }: ExternalIp): boolean =>
  gateway.poolIds.has(poolId) || gateway.addresses.some((address) => sameAddress(address, own))
