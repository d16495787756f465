import { subnetIpv4Problem, subnetIpv6Problem } from '@gantry/api/network/vpc.rules'
import { knownNet } from '@gantry/api/base/ip.rules'
import { expect, test } from 'vitest'
import { refusedField } from './refused-field.ts'

test.each([
  [{ errorCode: 'ObjectAlreadyExists', message: 'Subnet name already exists' }, 'name'],
  [{ message: "IP address range '172.30.0.0/24' conflicts with an existing subnet" }, 'ipv4Block'],
  [{ message: "IP address range 'fd12::/64' conflicts with an existing subnet" }, 'ipv6Block'],
  [{ message: subnetIpv4Problem(knownNet('8.8.8.0/24')) ?? '' }, 'ipv4Block'],
  [{ message: subnetIpv6Problem('fd00::/64', 'fd12:3456:789a::/48') ?? '' }, 'ipv6Block'],
  [{ message: 'Action not authorized' }, undefined],
])('%o is shown at %s', (failure, field) => expect(refusedField(failure)).toBe(field))
