import type { NetworkInterface } from '@gantry/control-plane/fleet/networks'
import { expect, test } from 'vitest'
import { dnsmasqConfig, guestNames } from './dns.ts'

/** A guest by its hostname and name. */
const guest = (hostname: string, name: string, more: Partial<NetworkInterface> = {}): NetworkInterface => ({
  id: name,
  instance_id: name,
  machine_id: null,
  subnet_id: 'subnet',
  hostname,
  name,
  mac: 'A8:40:25:00:00:01',
  ip: `ip of ${name}`,
  is_primary: true,
  transit_ips: [],
  external: [],
  ...more,
})

test.each<[string, NetworkInterface[], string[][]]>([
  ['a name like the hostname once', [guest('web', 'web')], [['web']]],
  ['both where they differ', [guest('www', 'web')], [['www', 'web']]],
  ['both of a hostname with a domain', [guest('web.example', 'front')], [['web.example', 'front']]],
  ['no difference by case', [guest('Web', 'web')], [['web']]],
  ['a hostname before the name of another', [guest('db', 'web'), guest('web', 'db')], [['db'], ['web']]],
  [
    'the first label of a hostname before the name of another',
    [guest('web.example', 'one'), guest('two', 'web')],
    [['web.example', 'one'], ['two']],
  ],
  ['a name beside a hostname that is none', [guest('a b', 'web')], [['web']]],
  ['nothing of what is no label', [guest('a,b', 'x y')], []],
  ['primary interfaces only', [guest('www', 'web', { is_primary: false })], []],
])('guests have %s', (_, guests, names) => {
  expect([...guestNames(guests).values()]).toEqual(names)
})

test('the configuration has each name in the domain and alone, and no words of its own language', () => {
  const addresses = { base: 0, dns: { address: '192.0.2.1', port: 53 } }
  const network = { id: '', generation: 1, vni: 1, dns_name: 'vpc', subnets: [], rules: [] }
  const recordsOf = (...interfaces: NetworkInterface[]) =>
    dnsmasqConfig({ ...network, interfaces }, addresses).match(/^host-record=.*$/gm)
  expect(
    recordsOf(
      guest('www', 'web', { ip: '10.0.0.5' }),
      guest('db.example', 'infinite', { ip: '10.0.0.6' }),
      guest('localhost', 'web2', { ip: '10.0.0.7' }),
    ),
  ).toEqual([
    'host-record=www.vpc,www,web.vpc,web,10.0.0.5',
    'host-record=db.example.vpc,infinite.vpc,10.0.0.6',
    'host-record=localhost.vpc,web2.vpc,web2,10.0.0.7',
  ])
})
