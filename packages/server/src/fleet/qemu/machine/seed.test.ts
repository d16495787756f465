import { expect, test } from 'vitest'
import { machineInterface, machineSpec } from '#src/testing/qemu'
import { metaData, networkConfig, seedImage, yamlText } from './seed.ts'

test.each([
  ['web-1', '"web-1"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['x\nruncmd: [reboot]', '"x\\u000aruncmd: [reboot]"'],
  ['tab\there', '"tab\\u0009here"'],
  ['{a: &b !!c}', '"{a: &b !!c}"'],
  ['häuser', '"h\\u00e4user"'],
  ['😀', '"\\U0001f600"'],
  ['\u{7f}\u{2028}', '"\\u007f\\u2028"'],
])('%j is one text of YAML', (text, quoted) => expect(yamlText(text)).toBe(quoted))

test('the metadata name the instance, its host name and its keys', () => {
  const spec = machineSpec({
    instance_id: 'i-1',
    hostname: 'web-1',
    ssh_keys: ['ssh-ed25519 AAAA tester\n', 'ssh-rsa BBBB "quoted"'],
  })
  expect(metaData(spec)).toBe(
    [
      'instance-id: "i-1"',
      'local-hostname: "web-1"',
      'public-keys:',
      '  - "ssh-ed25519 AAAA tester"',
      '  - "ssh-rsa BBBB \\"quoted\\""',
      '',
    ].join('\n'),
  )
  expect(metaData(machineSpec())).toContain('public-keys: []\n')
})

test('every interface gets its address by DHCP, and the primary one the default route', () => {
  expect(
    networkConfig([
      machineInterface({ mac: 'A8:40:25:00:00:02', is_primary: false }),
      machineInterface({ mac: 'A8:40:25:00:00:01', is_primary: true }),
    ]),
  ).toBe(
    [
      'version: 2',
      'ethernets:',
      '  nic0:',
      '    match: {macaddress: "a8:40:25:00:00:01"}',
      '    dhcp4: true',
      '  nic1:',
      '    match: {macaddress: "a8:40:25:00:00:02"}',
      '    dhcp4: true',
      '    dhcp4-overrides: {route-metric: 200}',
      '',
    ].join('\n'),
  )
  expect(networkConfig([])).toBe('version: 2\nethernets: {}\n')
})

test('user data are passed on unchanged', () => {
  const bytes = Buffer.from([0, 1, 2, 254, 255, 13, 10])
  expect(seedImage(machineSpec({ user_data: bytes.toString('base64') })).includes(bytes)).toBe(true)
})
